import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import type { Metafile } from 'esbuild'
import { shared, leanCredentialLibrary } from '../../../build.ts'
import { appDirectory } from '../app-directory.ts'
import { buildTypes } from './build-types.ts'

/** What the packages in it, which are CommonJS in part, call for modules of Node. */
const requireInModules =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"

export interface LibraryBuild {
  readonly metafile: Metafile
  /** The files of others whose types stand in the types of the library. */
  readonly typeFiles: readonly string[]
}

/** Builds `dist/lib`: ESM with all it needs in it, the credential library apart, and its types as one file. */
export async function buildLibrary(): Promise<LibraryBuild> {
  const outdir = join(appDirectory, 'dist/lib')
  await rm(outdir, { recursive: true, force: true })
  const { metafile } = await esbuild.build({
    ...shared,
    // An application that does not catch an error is shown the line it comes from.
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
