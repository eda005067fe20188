import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import type { BuildOptions, Metafile, OutputFile, Plugin } from 'esbuild'

const root = fileURLToPath(new URL('.', import.meta.url))
const outdir = join(root, 'dist')

/** What a cold start must not carry: it belongs into a lazy chunk. */
const lazyOnly = /node_modules\/(@azure\/(identity|msal|core-)|@typespec|prom-client)/

/** How everything of ours is bundled. */
export const shared = {
  bundle: true,
  absWorkingDir: root,
  platform: 'node',
  target: 'node22',
  minify: true,
  // The packages may be a link to another folder: what is built must not know which.
  preserveSymlinks: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
} satisfies BuildOptions

/**
 * Puts the files that the page inlines into its chunk as text, minified. From sources, `page-files.ts` reads them at run time.
 */
export const pageFiles: Plugin = {
  name: 'page-files',
  setup(build) {
    build.onLoad({ filter: /\/page-files\.ts$/ }, async ({ path }) => {
      const directory = dirname(path)
      const text = async (file: string, loader: 'css' | 'js') => {
        const { code } = await esbuild.transform(await readFile(join(directory, file), 'utf8'), {
          loader,
          minify: true,
        })
        return JSON.stringify(code)
      }
      return {
        contents: `export const pageStyle = ${await text('page.css', 'css')}; export const pageScript = ${await text('page.js', 'js')}`,
        watchFiles: ['page.css', 'page.js'].map((file) => join(directory, file)),
      }
    })
  },
}

/**
 * Packages of the credential library that none of our credentials runs. They are a third of its load time.
 *
 * - `open` shows a browser for interactive credentials, and brings a dozen packages.
 * - The proxy agents are built for each request and never used: the guarded client connects by itself. They print the password of a proxy if
 *   DEBUG is set.
 */
const unused: Readonly<Record<string, string>> = {
  open: 'export default undefined',
  'http-proxy-agent': 'export class HttpProxyAgent {}',
  'https-proxy-agent': 'export class HttpsProxyAgent {}',
  // Silenced by send-proxied.ts for the agents alone.
  debug: 'export default {}',
  // Assertions are signed by certificate-assertion.ts.
  jsonwebtoken: 'export default {}',
}

/** Runs the module of edit distances at its first use: its table of 256 kB is for wrong names only, and no cold start has one. */
const lateDistances: Plugin = {
  name: 'late-distances',
  setup(build) {
    const [namespace, name] = ['late', 'fastest-levenshtein']
    build.onResolve({ filter: /^fastest-levenshtein$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace }, () => ({
      contents: `export const distance = (...texts) => require('${name}').distance(...texts)`,
      resolveDir: root,
    }))
  },
}

/** Bundles the credential library without the packages that our credentials do not run. */
export const leanCredentialLibrary: Plugin = {
  name: 'lean-credential-library',
  setup(build) {
    const namespace = 'unused'
    const filter = new RegExp(`^(${Object.keys(unused).join('|')})$`)
    build.onResolve({ filter }, ({ path }) => ({ path, namespace }))
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: unused[path] ?? '' }))
  },
}

/**
 * Bundles the functions library from the sources that its package ships, so that the triggers we do not use stay out: a third of the cold
 * start. Its ready-made bundle cannot be shaken.
 */
const librarySource: Plugin = {
  name: 'library-source',
  setup(build) {
    build.onResolve({ filter: /^@azure\/functions$/ }, () => ({ path: 'app', namespace: 'used-parts' }))
    // `app` as a whole would keep every trigger and every kind of output.
    build.onLoad({ filter: /.*/, namespace: 'used-parts' }, () => ({
      contents: `import { generic } from '@azure/functions/src/app.ts'; export const app = { generic }`,
      resolveDir: root,
    }))
    // Its resources are of bindings that nothing here has.
    build.onResolve({ filter: /^@azure\/functions-extensions-base$/ }, ({ path }) => ({ path, namespace: 'left-out' }))
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: `export class ResourceFactoryResolver { static getInstance() { throw new Error('Left out of this bundle') } }`,
    }))
    // It is for names of bindings that have none: nothing here asks for it, and to load it is a fifth of a cold start.
    build.onResolve({ filter: /^crypto$/ }, ({ importer, path }) =>
      /@azure[\\/]functions[\\/]src[\\/]utils[\\/]getRandomHexString\.ts$/.test(importer)
        ? { path, namespace: 'at-first-use' }
        : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'at-first-use' }, ({ path }) => {
      const functions = ['createHash', 'randomBytes'].map(
        (name) => `export const ${name} = (...args) => require('node:${path}').${name}(...args)`,
      )
      return { contents: functions.join('\n') }
    })
    // The tools of language models are triggers, and the proxy is for streams of requests: nothing here uses them, and they cannot be shaken out.
    const unusedParts = /@azure[\\/]functions[\\/]src[\\/](converters[\\/]toMcp\w+|http[\\/]httpProxy)\.ts$/
    build.onLoad({ filter: unusedParts }, async ({ path }) => {
      const names = (await readFile(path, 'utf8')).matchAll(/^export (?:async )?function (\w+)/gm)
      const stubs = [...names].map(
        ([, name]) => `export function ${name}() { throw new Error('Left out of this bundle') }`,
      )
      return { contents: stubs.join('\n'), loader: 'ts' }
    })
  },
}

/** How a bundle for the functions host is made, whatever is in it. */
export const bundle = {
  ...shared,
  format: 'cjs',
  external: ['@azure/functions-core'],
} satisfies BuildOptions

/** Chunks of one name that stay in `dist`: a service that was started before a build loads its own when it needs it. */
const keptChunks = 10

/**
 * What the cold path imports dynamically becomes a bundle of its own. Its name carries a hash of its content, so that a build beside a
 * running service never changes a file which that service has yet to load.
 */
const lazyChunks = (chunks: Map<string, Chunk>): Plugin => ({
  name: 'lazy-chunks',
  setup(build) {
    build.onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined
      const { path: entry, errors } = await build.resolve(path, { kind: 'import-statement', resolveDir })
      if (errors.length > 0) return { errors }
      const chunk = await buildChunk(entry)
      const { name, metafile } = chunk
      chunks.set(name, chunk)
      const watchFiles = Object.keys(metafile.inputs).map((input) => join(root, input))
      return { path: `./${name}`, namespace: 'chunk', watchFiles }
    })
    build.onResolve({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({ path, external: true }))
    build.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({ contents: loadWhole(JSON.stringify(path)) }))
  },
})

/** Node keeps a failed `import()` for the life of a process, but no failed `require`. A file that lost its end can still be good code. */
const loadWhole = (path: string) => `const chunk = require(${path})
if (chunk.whole !== true) {
  delete require.cache[require.resolve(${path})]
  throw new Error('A part of this build is incomplete')
}
module.exports = chunk`

interface Chunk {
  readonly name: string
  readonly file: OutputFile
  readonly metafile: Metafile
}

async function buildChunk(entry: string): Promise<Chunk> {
  const { outputFiles, metafile } = await esbuild.build({
    ...bundle,
    entryPoints: [entry],
    outdir,
    entryNames: '[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    footer: { js: 'module.exports.whole=true' },
    write: false,
    plugins: [leanCredentialLibrary, pageFiles, withoutTexts],
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error(`${entry} gives no chunk`)
  return { name: basename(file.path), file, metafile }
}

/** What only editors and documents show of a table: nothing at run time reads it. */
const textFields: Readonly<Record<string, string>> = {
  'profile/cloud-profile.ts': String.raw`(?:title|description):\s*TEXT|examples:\s*\[[^\]]*\]`,
  'settings/setting-table.ts': String.raw`(?:meaning|unset):\s*TEXT`,
  'clouds/profile-services.ts': String.raw`name:\s*TEXT|sources:\s*\[[^\]]*\]`,
}

/** Leaves {@link textFields} out. */
const withoutTexts: Plugin = {
  name: 'without-texts',
  setup(build) {
    const text = String.raw`(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")`
    for (const [file, fields] of Object.entries(textFields)) {
      const pattern = new RegExp(String.raw`\b(?:${fields.replaceAll('TEXT', text)})(?:,|(?=\s*\}))`, 'g')
      build.onLoad({ filter: new RegExp(`/lib/${file.replace('.', '\\.')}$`) }, async ({ path }) => {
        const source = await readFile(path, 'utf8')
        return { contents: source.replace(pattern, ''), loader: 'ts' }
      })
    }
  },
}

/** Writes beside the file and renames, so that nobody ever reads half of it. */
export async function writeWhole({ path, contents }: Pick<OutputFile, 'path' | 'contents'>): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.tmp`
  try {
    await writeFile(temporary, contents)
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}

async function removeOldChunks(name: string): Promise<void> {
  const kind = name.replace(/-[^-]+$/, '')
  const chunks = (await readdir(outdir)).filter((each) => each.startsWith(`${kind}-`) && each.endsWith('.cjs'))
  const dated = await Promise.all(
    chunks.map(async (each) => ({ each, time: (await stat(join(outdir, each))).mtimeMs })),
  )
  const old = dated.sort((a, b) => b.time - a.time).slice(keptChunks)
  await Promise.all(old.map(({ each }) => rm(join(outdir, each), { force: true })))
}

const main = {
  ...bundle,
  entryPoints: ['src/main.ts'],
  outfile: join(outdir, 'main.cjs'),
  write: false,
  plugins: [librarySource, lateDistances, withoutTexts],
} satisfies BuildOptions

/** The text of `dist/main.cjs` with line breaks, and with a comment before each module that names it: for benchmarks. */
export async function bundleWithNames(plugins: readonly Plugin[]): Promise<string> {
  const { outputFiles } = await esbuild.build({
    ...main,
    minify: false,
    minifySyntax: true,
    minifyIdentifiers: true,
    plugins: [...plugins, lazyChunks(new Map()), ...main.plugins],
  })
  return outputFiles[0]?.text ?? ''
}

export interface Bundle {
  /** The built files, from the root of the project. */
  readonly files: readonly string[]
  /** What the bundler says is in them. */
  readonly metafiles: readonly Metafile[]
}

/**
 * Builds what is deployed: `dist/main.cjs` and its lazy chunks. CommonJS, because the worker injects its core module there only.
 */
export async function buildBundle(): Promise<Bundle> {
  const chunks = new Map<string, Chunk>()
  const result = await esbuild.build({ ...main, plugins: [lazyChunks(chunks), ...main.plugins] })
  const metafiles = [...chunks.values()].map(({ metafile }) => metafile)
  return { files: await finish(result, chunks), metafiles: [result.metafile, ...metafiles] }
}

/** Refuses a cold path that is too much, and writes its chunks, then itself. A plugin that writes would make a bug of a full disk. */
async function finish(
  { metafile, outputFiles }: esbuild.BuildResult<typeof main>,
  chunks: ReadonlyMap<string, Chunk>,
): Promise<readonly string[]> {
  // What is read and then left out costs nothing: names of a table, whose rows load more.
  const carried = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  )
  const found = carried.find((path) => lazyOnly.test(path))
  if (found !== undefined) throw new Error(`${found} would be loaded at every cold start; import it lazily`)
  const used = Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports.filter(({ kind }) => kind === 'require-call').flatMap(({ path }) => chunks.get(basename(path)) ?? []),
  )
  await Promise.all(used.map(({ file }) => writeWhole(file)))
  await Promise.all(used.map(({ name }) => removeOldChunks(name)))
  await Promise.all(outputFiles.map(writeWhole))
  return ['main.cjs', ...used.map(({ name }) => name)].map((name) => `dist/${name}`)
}

/** Builds the bundle now and after each change of a file it is made from. @param onBuilt Called after each good build. */
export async function watchBundle(onBuilt: () => void): Promise<{ dispose(): Promise<void> }> {
  const chunks = new Map<string, Chunk>()
  const announce: Plugin = {
    name: 'announce',
    setup(build) {
      const settings = ['host.json', 'local.settings.json'].map((file) => join(root, file))
      build.onLoad({ filter: /\/src\/main\.ts$/ }, async ({ path }) => ({
        contents: await readFile(path),
        loader: 'ts',
        watchFiles: settings,
      }))
      build.onEnd(async (result) => {
        if (result.errors.length > 0) return
        await finish(result, chunks)
        onBuilt()
      })
    },
  }
  const context = await esbuild.context({ ...main, plugins: [lazyChunks(chunks), ...main.plugins, announce] })
  await context.watch()
  return { dispose: () => context.dispose() }
}
