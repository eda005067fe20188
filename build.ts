import { spawnSync } from 'node:child_process'
import { cp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'

const root = fileURLToPath(new URL('.', import.meta.url))
const outdir = join(root, 'dist')

/** What a cold start must not carry: it is loaded at the first token attempt. */
const lazyOnly = /node_modules\/(@azure\/(identity|msal|core-)|@typespec)/

/** The doors from the cold path to the lazy chunks: what is imported, and the entry of its chunk. */
const lazyImports: Readonly<Record<string, string>> = {
  '../diagnostics/diagnostics.ts': 'src/lib/diagnostics/diagnostics.ts',
  './page.ts': 'src/functions/page.ts',
}

const shared = {
  bundle: true,
  absWorkingDir: root,
  platform: 'node',
  target: 'node22',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
} satisfies BuildOptions

const lazyChunks: Plugin = {
  name: 'lazy-chunks',
  setup(build) {
    build.onResolve({ filter: /\/(diagnostics|page)\.ts$/ }, ({ kind, path }) => {
      const entry = kind === 'dynamic-import' ? lazyImports[path] : undefined
      return entry === undefined ? undefined : { path: `./${basename(entry, '.ts')}.cjs`, external: true }
    })
  },
}

/**
 * Puts the files that the page inlines into its chunk as text, minified. From sources, `page-files.ts` reads them at run time.
 */
const pageFiles: Plugin = {
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

/** The library opens a browser for credentials that we do not offer; without `open` a dozen packages stay out. */
const withoutBrowser: Plugin = {
  name: 'without-browser',
  setup(build) {
    build.onResolve({ filter: /^open$/ }, ({ path }) => ({ path, namespace: 'without-browser' }))
    build.onLoad({ filter: /.*/, namespace: 'without-browser' }, () => ({
      contents: 'export default undefined',
    }))
  },
}

/**
 * Bundles the functions library from the sources that its package ships, so that the triggers we do not use stay out: a third of the cold
 * start. Its ready-made bundle cannot be shaken.
 */
const librarySource: Plugin = {
  name: 'library-source',
  setup(build) {
    build.onResolve({ filter: /^@azure\/functions$/ }, ({ resolveDir }) =>
      build.resolve('@azure/functions/src/index.ts', { kind: 'import-statement', resolveDir }),
    )
    // Its ESM build lacks the names that the sources import.
    build.onResolve({ filter: /^@azure\/functions-extensions-base$/ }, ({ kind, path, resolveDir }) =>
      kind === 'import-statement' ? build.resolve(path, { kind: 'require-call', resolveDir }) : undefined,
    )
  },
}

/** How a bundle for the functions host is made, whatever is in it. */
export const bundle = {
  ...shared,
  format: 'cjs',
  external: ['@azure/functions-core'],
} satisfies BuildOptions

const main = {
  ...bundle,
  entryPoints: ['src/main.ts'],
  outfile: join(outdir, 'main.cjs'),
  plugins: [lazyChunks, librarySource],
} satisfies BuildOptions

const diagnostics = {
  ...bundle,
  entryPoints: ['src/lib/diagnostics/diagnostics.ts'],
  outfile: join(outdir, 'diagnostics.cjs'),
  plugins: [withoutBrowser],
} satisfies BuildOptions

const page = {
  ...bundle,
  entryPoints: ['src/functions/page.ts'],
  outfile: join(outdir, 'page.cjs'),
  plugins: [pageFiles],
} satisfies BuildOptions

/** Builds what is deployed: `dist/main.cjs` and its lazy chunks. CommonJS, because the worker injects its core module there only. */
export async function buildBundle(): Promise<void> {
  const [{ metafile }] = await Promise.all([esbuild.build(main), esbuild.build(diagnostics), esbuild.build(page)])
  refuseLazyCode(metafile)
}

/** Builds the bundle now and after each change of a file it is made from. @param onBuilt Called after each good build. */
export async function watchBundle(onBuilt: () => void): Promise<{ dispose(): Promise<void> }> {
  const announce: Plugin = {
    name: 'announce',
    setup(build) {
      const settings = ['host.json', 'local.settings.json'].map((file) => join(root, file))
      build.onResolve({ filter: /main\.ts$/ }, () => ({ watchFiles: settings }))
      build.onEnd(({ errors }) => {
        if (errors.length === 0) onBuilt()
      })
    },
  }
  const contexts = await Promise.all(
    [main, diagnostics, page].map((options) =>
      esbuild.context({ ...options, plugins: [...options.plugins, announce] }),
    ),
  )
  await Promise.all(contexts.map((each) => each.watch()))
  return { dispose: async () => void (await Promise.all(contexts.map((each) => each.dispose()))) }
}

/** Builds the library: ESM whose dependencies stay imports, and its types. */
export async function buildLibrary(): Promise<void> {
  await rm(join(outdir, 'lib'), { recursive: true, force: true })
  await esbuild.build({
    ...shared,
    minify: false,
    format: 'esm',
    splitting: true,
    packages: 'external',
    entryPoints: ['src/lib/index.ts'],
    outdir: join(outdir, 'lib'),
    chunkNames: 'chunks/[name]-[hash]',
  })
  const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The types of the library could not be built')
  // The root of the sources is the project's, for the profiles are imported from beside src.
  await cp(join(outdir, 'types', 'src', 'lib'), join(outdir, 'lib'), { recursive: true })
  await rm(join(outdir, 'types'), { recursive: true })
}

function refuseLazyCode({ inputs }: Metafile): void {
  const found = Object.keys(inputs).find((path) => lazyOnly.test(path))
  if (found !== undefined) throw new Error(`${found} would be loaded at every cold start; import it lazily`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildBundle()
  await buildLibrary()
}
