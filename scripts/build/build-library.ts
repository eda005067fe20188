import { mkdir, rm, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import * as esbuild from 'esbuild'
import type { Metafile, Plugin } from 'esbuild'
import { shared } from '../../build.ts'
import { appDirectory } from '../../src/cli/app-directory.ts'
import { buildEnclaveTypes, buildLibraryTypes } from './build-types.ts'
import { leanCredentialLibrary } from './bundle-plugins.ts'

/**
 * Gives bundled CommonJS packages Node's modules by `import`. Their `require` would need `import.meta.url`, which an application's own
 * bundle in CommonJS does not have.
 */
const importedBuiltins: Plugin = {
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

/**
 * Makes the main entry a list of exports: its code is then shared with another entry and becomes chunks, and a bundler drops the chunks that
 * an application doesn't use.
 */
const mainEntry: Plugin = {
  name: 'main-entry',
  setup(build) {
    build.onResolve({ filter: /^src\/lib\/index\.ts$/ }, ({ path }) => ({ path, namespace: 'exports' }))
    build.onLoad({ filter: /.*/, namespace: 'exports' }, ({ path }) => ({
      contents: `export * from './${path}'`,
      resolveDir: appDirectory,
    }))
  },
}

export interface PackageBuild {
  readonly metafile: Metafile
  /** The third-party files with types in the types of the package. */
  readonly typeFiles: readonly string[]
}

/**
 * Node prints the source line of an uncaught error, unless the line contains this mark. So each file is one line: no template literal may
 * contain a line break.
 */
const mark = '/* node-do-not-add-exception-line */'

const oneLine: Plugin = {
  name: 'one-line',
  setup(build) {
    build.onEnd(({ outputFiles = [] }) =>
      Promise.all(
        outputFiles.map(async ({ path, text }) => {
          const lines = text.trimEnd().split('\n')
          if (lines.length > 1) throw new Error(`${path} has ${lines.length} lines, so Node would print one of them`)
          await mkdir(dirname(path), { recursive: true })
          await writeFile(path, `${lines.join('')}${mark}\n`)
        }),
      ).then(() => undefined),
    )
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

async function emptyFolder(name: string): Promise<string> {
  const folder = join(appDirectory, 'dist', name)
  await rm(folder, { recursive: true, force: true })
  return folder
}

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

/** Builds `dist/lib`: ES modules with lazy chunks, CommonJS, and the types for both. */
export async function buildLibrary(): Promise<PackageBuild> {
  const outdir = dirname(await emptyFolder('lib'))
  const [{ metafile }] = await Promise.all([
    buildModules(outdir),
    esbuild.build({ ...packed, outdir, format: 'cjs', entryPoints, outExtension: { '.js': '.cjs' } }),
  ])
  const { files, typeFiles } = await buildLibraryTypes()
  await writeTypes(join(outdir, 'lib'), files)
  return { metafile, typeFiles }
}

/** Builds `dist/enclave`: an ES module, CommonJS, and the types for both. */
export async function buildEnclave(): Promise<PackageBuild> {
  const outdir = await emptyFolder('enclave')
  const entryPoints = ['packages/enclave/src/index.ts']
  const [{ metafile }] = await Promise.all([
    esbuild.build({ ...packed, outdir, format: 'esm', entryPoints, plugins: [...packed.plugins, importedBuiltins] }),
    esbuild.build({ ...packed, outdir, format: 'cjs', entryPoints, outExtension: { '.js': '.cjs' } }),
  ])
  const { files, typeFiles } = await buildEnclaveTypes()
  await writeTypes(outdir, files)
  return { metafile, typeFiles }
}

const writeTypes = (outdir: string, files: Readonly<Record<string, string>>) =>
  Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(outdir, name), text)))
