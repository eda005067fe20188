import { rm, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import type { Metafile, Plugin } from 'esbuild'
import { shared } from '../../build.ts'
import { appDirectory } from '../../src/cli/app-directory.ts'
import { renderTypes } from './build-types.ts'
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

/** The public entries, and `scope` apart: an application that needs nothing else must not get the rest. */
const entryPoints = [
  { in: 'src/lib/index.ts', out: 'lib/index' },
  { in: 'src/lib/discovery.ts', out: 'lib/metadata' },
  { in: 'packages/enclave/src/index.ts', out: 'testing/index' },
]
const apart = [
  { in: 'src/lib/profile/endpoints.ts', out: 'lib/scope' },
  { in: './src/lib/index.ts', out: 'lib/main' },
]

/**
 * Makes the main entry a list of exports: its code is then shared with another entry, so it stands in chunks, and a bundler drops those that
 * an application does not use.
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

export interface LibraryBuild {
  readonly metafile: Metafile
  /** The third-party files whose types are in the types of the library. */
  readonly typeFiles: readonly string[]
}

/** Builds `dist/lib` and `dist/testing`: as ES modules with lazy chunks, as CommonJS, and the types for both. */
export async function buildLibrary(): Promise<LibraryBuild> {
  const outdir = join(appDirectory, 'dist')
  await Promise.all(['lib', 'testing'].map((name) => rm(join(outdir, name), { recursive: true, force: true })))
  // Names stay, for stack traces; short lines, because Node prints the source line of an uncaught error.
  const readable = { minify: false, minifySyntax: true, minifyWhitespace: true, lineLimit: 160 }
  const options = { ...shared, ...readable, outdir, plugins: [leanCredentialLibrary] }
  const [{ metafile }] = await Promise.all([
    esbuild.build({
      ...options,
      format: 'esm',
      splitting: true,
      entryPoints: [...entryPoints, ...apart],
      chunkNames: 'lib/chunks/[name]-[hash]',
      plugins: [...options.plugins, importedBuiltins, mainEntry],
    }),
    esbuild.build({ ...options, format: 'cjs', minify: true, entryPoints, outExtension: { '.js': '.cjs' } }),
  ])
  const { declarations, sharedTypes, typeFiles } = await renderTypes()
  const files = {
    ...Object.fromEntries(entryPoints.map(({ out }, index) => [out, Object.values(declarations)[index] ?? ''])),
    'lib/types': sharedTypes,
  }
  for (const [out, text] of Object.entries(files)) {
    await writeFile(join(outdir, `${out}.d.ts`), text)
    await writeFile(join(outdir, `${out}.d.cts`), text.replaceAll(/'\.\/(types|index)\.js'/g, "'./$1.cjs'"))
  }
  return { metafile, typeFiles }
}
