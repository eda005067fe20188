import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import type { Metafile } from 'esbuild'
import { shared } from '../../build.ts'
import { appDirectory } from '../../src/cli/app-directory.ts'
import { renderTypes } from './build-types.ts'
import { leanCredentialLibrary } from './bundle-plugins.ts'

/** `require` for the bundled CommonJS packages. */
const requireInModules =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"

export interface LibraryBuild {
  readonly metafile: Metafile
  /** The third-party files whose types are in the types of the library. */
  readonly typeFiles: readonly string[]
}

/** Builds `dist/lib` and `dist/testing`: ESM with all they need in them, the credential library apart, and the types of each as one file. */
export async function buildLibrary(): Promise<LibraryBuild> {
  const outdir = join(appDirectory, 'dist')
  const entries = [
    { in: 'src/lib/index.ts', out: 'lib/index' },
    { in: 'src/testing/index.ts', out: 'testing/index' },
  ]
  await Promise.all(['lib', 'testing'].map((name) => rm(join(outdir, name), { recursive: true, force: true })))
  const { metafile } = await esbuild.build({
    ...shared,
    // Node prints the source line of an uncaught error, and a minified line would fill the screen.
    minify: false,
    format: 'esm',
    splitting: true,
    entryPoints: entries,
    outdir,
    chunkNames: 'lib/chunks/[name]-[hash]',
    banner: { js: requireInModules },
    plugins: [leanCredentialLibrary],
  })
  const { declarations, typeFiles } = await renderTypes()
  await writeFile(join(outdir, 'lib/index.d.ts'), declarations['.'])
  await writeFile(join(outdir, 'testing/index.d.ts'), declarations['./testing'])
  return { metafile, typeFiles }
}
