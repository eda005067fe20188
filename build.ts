import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import type { BuildOptions, Metafile, OutputFile, Plugin } from 'esbuild'
import { UsageError } from './src/cli/command.ts'
import { errorCode } from './src/lib/base/files.ts'
import { cloudFiles, leanCredentialLibrary, librarySource, pageFiles } from './scripts/build/bundle-plugins.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const outdir = join(root, 'dist')

/** Packages that only lazy chunks may contain, because every cold start pays for `main.cjs`. */
const lazyOnly = /node_modules\/(@azure\/(identity|msal|core-)|@typespec|prom-client)/

/** The options of every build. */
export const shared = {
  bundle: true,
  absWorkingDir: root,
  platform: 'node',
  target: 'node22',
  minify: true,
  // node_modules may be a link to another folder, and the output must not depend on its path.
  preserveSymlinks: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
} satisfies BuildOptions

/** The options of every bundle for the Functions host. */
export const bundle = {
  ...shared,
  format: 'cjs',
  external: ['@azure/functions-core'],
} satisfies BuildOptions

/** How many builds of a chunk stay in `dist`: a service that started before a build loads its chunks later. */
const keptChunks = 10

/**
 * Makes a separate bundle of each dynamic import. Its name contains a hash of its content, so that a build beside a running service never
 * changes a file that the service loads later.
 *
 * @param isChunk Whether the bundle is a chunk itself, which contains what it imports dynamically.
 */
const lazyChunks = (chunks: Map<string, Chunk>, isChunk = false): Plugin => ({
  name: 'lazy-chunks',
  setup(build) {
    build.onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir }) => {
      if (isChunk || kind !== 'dynamic-import') return undefined
      const { path: entry, errors } = await build.resolve(path, { kind: 'entry-point', resolveDir })
      if (errors.length > 0) return { errors }
      const chunk = await buildChunk(entry, chunks)
      const { name, metafile } = chunk
      chunks.set(name, chunk)
      const watchFiles = Object.keys(metafile.inputs).map((input) => join(root, input))
      return { path: `./${name}`, namespace: 'chunk', watchFiles }
    })
    build.onResolve({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({ path, external: true }))
    build.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({
      contents: `${loadWhole(JSON.stringify(path))}; module.exports = chunk`,
    }))
  },
})

/** Node keeps a failed `import()` for the life of a process, but no failed `require`. A file that lost its end can still be good code. */
const loadWhole = (path: string) => `const chunk = require(${path})
if (chunk.whole !== true) {
  delete require.cache[require.resolve(${path})]
  throw new Error('A part of this build is incomplete')
}`

interface Chunk {
  readonly name: string
  readonly file: OutputFile
  readonly metafile: Metafile
}

async function buildChunk(entry: string, chunks: Map<string, Chunk>): Promise<Chunk> {
  const { outputFiles, metafile } = await esbuild.build({
    ...bundle,
    entryPoints: [entry],
    outdir,
    entryNames: '[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    footer: { js: 'module.exports.whole=true' },
    write: false,
    plugins: [lazyChunks(chunks, true), cloudFiles, leanCredentialLibrary, pageFiles],
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error(`${entry} gives no chunk`)
  return { name: basename(file.path), file, metafile }
}

/**
 * Writes to a temporary name and renames, so that no reader sees half of a file. The name is random: two containers that share a checkout
 * may have processes with the same id.
 *
 * @throws {UsageError} if the folder refuses writes, with what to do.
 */
export async function writeWhole({ path, contents }: Pick<OutputFile, 'path' | 'contents'>): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(temporary, contents)
    await rename(temporary, path)
  } catch (error) {
    throw await explainRefusal(error, path)
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
}

async function explainRefusal(error: unknown, path: string): Promise<unknown> {
  const code = errorCode(error)
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') return error
  const isBuilt = existsSync(join(outdir, 'main.cjs'))
  const built = isBuilt ? `Serve the build that is there with "npm start -- --built", or make` : 'Make'
  return new UsageError(`The build cannot write ${path} (${code}). ${built} ${dirname(path)} writable for this user`, {
    cause: error,
  })
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
  plugins: [librarySource, cloudFiles],
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
  /** Their contents according to the bundler. */
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

/** Refuses a cold path with a package that belongs into a chunk. Writes the chunks first, then `main.cjs`. */
async function finish(
  { metafile, outputFiles }: esbuild.BuildResult<typeof main>,
  chunks: ReadonlyMap<string, Chunk>,
): Promise<readonly string[]> {
  // A file without bytes in the output costs nothing.
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
