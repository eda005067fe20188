import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import type { Metafile } from 'esbuild'
import { shared, leanCredentialLibrary } from '../../../build.ts'
import { appDirectory } from '../app-directory.ts'
import { buildTypes } from './build-types.ts'

/** `require` for the bundled CommonJS packages. */
const requireInModules =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"

export interface LibraryBuild {
  readonly metafile: Metafile
  /** The third-party files whose types are in the types of the library. */
  readonly typeFiles: readonly string[]
}

/** Builds `dist/lib`: self-contained ESM, with the credential library as a chunk, and the types as one file. */
export async function buildLibrary(): Promise<LibraryBuild> {
  const outdir = join(appDirectory, 'dist/lib')
  await rm(outdir, { recursive: true, force: true })
  const { metafile } = await esbuild.build({
    ...shared,
    // Node prints the source line of an uncaught error.
    minify: false,
    format: 'esm',
    splitting: true,
    entryPoints: ['src/lib/index.ts'],
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    banner: { js: requireInModules },
    plugins: [leanCredentialLibrary],
  })
  return { metafile, typeFiles: await buildTypes(join(outdir, 'index.d.ts')) }
}
