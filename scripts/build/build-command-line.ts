import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as esbuild from 'esbuild'
import type { Metafile, Plugin } from 'esbuild'
import { bundle } from '../../build.ts'
import { cloudFiles, leanCredentialLibrary, pageFiles } from './bundle-plugins.ts'

/** CommonJS has no `import.meta`. */
const moduleUrl = "const __url=require('node:url').pathToFileURL(__filename).href;"

/**
 * Builds the command line for a package: one file for the table, and a self-contained one for each dynamic import. A command reads
 * two or three files.
 *
 * @param outdir An empty or missing folder.
 * @returns The metafile of each file.
 */
export async function buildCommandLine(outdir: string): Promise<readonly Metafile[]> {
  const metafiles: Metafile[] = []
  const chunks = new Map<string, Promise<string>>()
  await mkdir(outdir, { recursive: true })

  const build = async (entry: string, entryNames: string, interpreter = ''): Promise<string> => {
    const { outputFiles, metafile } = await esbuild.build({
      ...bundle,
      // Node loads a second loader for `import()`, and caches failures.
      supported: { 'dynamic-import': false },
      define: { PACKAGED: 'true', 'import.meta.url': '__url' },
      banner: { js: interpreter + moduleUrl },
      entryPoints: [entry],
      outdir,
      entryNames,
      outExtension: { '.js': '.cjs' },
      write: false,
      plugins: [cloudFiles, leanCredentialLibrary, pageFiles, chunksOfDynamicImports],
    })
    const [file] = outputFiles
    if (file === undefined) throw new Error(`${entry} gives no file`)
    const name = basename(file.path)
    await writeFile(join(outdir, name), file.contents)
    metafiles.push(metafile)
    return name
  }
  const chunksOfDynamicImports: Plugin = {
    name: 'chunks-of-dynamic-imports',
    setup(plugin) {
      plugin.onResolve({ filter: /^(\.|cloud-profile-enclave)/ }, async ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined
        const { path: entry, errors } = await plugin.resolve(path, { kind: 'import-statement', resolveDir })
        if (errors.length > 0) return { errors }
        const chunk = chunks.get(entry) ?? build(entry, '[name]-[hash]')
        chunks.set(entry, chunk)
        return { path: `./${await chunk}`, external: true }
      })
    },
  }
  await build('src/cli/cloud-profile.ts', '[name]', '#!/usr/bin/env node\n')
  return metafiles
}
