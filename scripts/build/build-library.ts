import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { builtinModules, createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import * as esbuild from 'esbuild'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { shared } from '../../build.ts'
import { appDirectory } from '../../src/cli/app-directory.ts'
import { leanCredentialLibrary } from './bundle-plugins.ts'

/** Gives bundled packages Node's modules by `import`. Their `require` needs `import.meta.url`, which no CommonJS bundle of an application has. */
const importedBuiltins: esbuild.Plugin = {
  name: 'imported-builtins',
  setup(build) {
    const filter = new RegExp(`^(node:)?(${builtinModules.filter((name) => !name.startsWith('_')).join('|')})$`)
    build.onResolve({ filter }, ({ path, kind }) =>
      kind === 'require-call' ? { path: path.replace(/^node:/, ''), namespace: 'required' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require('imported:${path}').default`,
    }))
    build.onResolve({ filter: /^imported:/ }, ({ path }) => ({ path: path.slice(9), namespace: 'imported' }))
    build.onLoad({ filter: /.*/, namespace: 'imported' }, ({ path }) => ({
      contents: `export { default } from 'node:${path}'`,
    }))
  },
}

/** The public entries, and two functions apart: an application that needs nothing else must not get the rest. */
const entryPoints = [
  { in: 'src/lib/index.ts', out: 'lib/index' },
  { in: 'src/lib/discovery.ts', out: 'lib/metadata' },
]
const apart = [
  { in: 'src/lib/profile/endpoints.ts', out: 'lib/scope' },
  { in: 'src/lib/profile/service-access.ts', out: 'lib/service-url' },
  { in: './src/lib/index.ts', out: 'lib/main' },
]

/** Makes the main entry a list of exports: its code becomes chunks, because another entry shares it, and a bundler drops the unused ones. */
const mainEntry: esbuild.Plugin = {
  name: 'main-entry',
  setup(build) {
    build.onResolve({ filter: /^src\/lib\/index\.ts$/ }, ({ path }) => ({ path, namespace: 'exports' }))
    build.onLoad({ filter: /.*/, namespace: 'exports' }, ({ path }) => ({
      contents: `export * from './${path}'`,
      resolveDir: appDirectory,
    }))
  },
}

/** Node prints the source line of an uncaught error, unless it has this mark. So each file is one line, and no template has a line break. */
const mark = '/* node-do-not-add-exception-line */'

const oneLine: esbuild.Plugin = {
  name: 'one-line',
  setup(build) {
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, text } of outputFiles) {
        const lines = text.trimEnd().split('\n')
        if (lines.length > 1) throw new Error(`${path} has ${lines.length} lines, so Node would print one of them`)
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, `${lines.join('')}${mark}\n`)
      }
    })
  },
}

/** Names stay, for stack traces. */
const packed = {
  ...shared,
  minify: false,
  minifySyntax: true,
  minifyWhitespace: true,
  supported: { 'template-literal': false },
  write: false,
  plugins: [leanCredentialLibrary, oneLine],
} satisfies esbuild.BuildOptions

/** Builds the ES modules of the library into the folder `lib` of `outdir`. */
export function buildModules(outdir: string) {
  return esbuild.build({
    ...packed,
    outdir,
    format: 'esm',
    splitting: true,
    entryPoints: [...entryPoints, ...apart],
    chunkNames: 'lib/chunks/[name]-[hash]',
    plugins: [...packed.plugins, importedBuiltins, mainEntry],
  })
}

/** Builds a package into a folder of `dist`: ES modules, CommonJS, and the types for both. */
async function buildPackage(
  name: string,
  common: { readonly outdir: string; readonly entryPoints: NonNullable<esbuild.BuildOptions['entryPoints']> },
  modules: () => Promise<{ readonly metafile: esbuild.Metafile }>,
  types: () => Promise<PackageTypes>,
) {
  const folder = join(appDirectory, 'dist', name)
  await rm(folder, { recursive: true, force: true })
  const commonJs = esbuild.build({ ...packed, ...common, format: 'cjs', outExtension: { '.js': '.cjs' } })
  const [{ metafile }] = await Promise.all([modules(), commonJs])
  const { files, typeFiles } = await types()
  await Promise.all(Object.entries(files).map(([file, text]) => writeFile(join(folder, file), text)))
  return { metafile, typeFiles }
}

export function buildLibrary() {
  const outdir = join(appDirectory, 'dist')
  return buildPackage('lib', { outdir, entryPoints }, () => buildModules(outdir), buildLibraryTypes)
}

export function buildEnclave() {
  const common = { outdir: join(appDirectory, 'dist/enclave'), entryPoints: ['packages/enclave/src/index.ts'] }
  const plugins = [...packed.plugins, importedBuiltins]
  const modules = () => esbuild.build({ ...packed, ...common, plugins, format: 'esm' })
  return buildPackage('enclave', common, modules, buildEnclaveTypes)
}

const library = 'cloud-profile-service'
const main = 'src/lib/index.d.ts'
const tsconfig = join(appDirectory, 'tsconfig.build.json')

/** Declarations by the name of their file, such as `index.d.ts`, and the files of other packages that they contain. */
type PackageTypes = { readonly files: Readonly<Record<string, string>>; readonly typeFiles: readonly string[] }

/** The public declarations of a package, as the compiler emits them: a file an entry, and one for the types that they share. */
async function rollUp(entries: Readonly<Record<string, string>>, first: RegExp): Promise<PackageTypes> {
  await mkdir(join(appDirectory, 'dist'), { recursive: true })
  // Below the project, so that the compiler finds the packages.
  const folder = await mkdtemp(join(appDirectory, 'dist/types-'))
  try {
    const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')
    execFileSync(process.execPath, [tsc, '-p', tsconfig, '--outDir', folder], { stdio: ['ignore', 2, 2] })
    const bundle = await rolldown({
      input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(folder, path)])),
      plugins: [
        {
          name: 'library',
          resolveId: { order: 'pre', handler: (id) => (id === library ? join(folder, main) : undefined) },
        },
        dts({ dtsInput: true, generator: 'oxc', sourcemap: false, tsconfig }),
      ],
      resolve: { conditionNames: ['types', 'import', 'default'], symlinks: false },
      onLog: () => undefined,
    })
    const written = await Promise.all(
      ['ts', 'cts'].map((extension) =>
        bundle.generate({
          entryFileNames: `[name].d.${extension}`,
          chunkFileNames: `types.d.${extension}`,
          minifyInternalExports: false,
          codeSplitting: { groups: [{ name: 'types', test: (id) => !first.test(id) }] },
        }),
      ),
    )
    const chunks = written.flatMap(({ output }) => output.filter((each) => each.type === 'chunk'))
    return {
      files: Object.fromEntries(chunks.map(({ fileName, code }) => [fileName, code])),
      typeFiles: chunks.flatMap(({ moduleIds }) => moduleIds.filter((path) => path.includes('node_modules'))),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The library. Its entry has what an application uses first, and the rest is in `types`. */
export const buildLibraryTypes = (): Promise<PackageTypes> =>
  rollUp({ index: main, metadata: 'src/lib/discovery.d.ts' }, /lib\/(cloud|index|discovery)\.d\.ts/)

/** The enclave, with the type of a profile in its one file. */
export const buildEnclaveTypes = (): Promise<PackageTypes> => rollUp({ index: 'packages/enclave/src/index.d.ts' }, /./)
