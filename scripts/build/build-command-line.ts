import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as esbuild from 'esbuild'
import type { Metafile, Plugin } from 'esbuild'
import { bundle } from '../../build.ts'
import { grammars } from '../../src/scan/languages.ts'
import { appDirectory } from '../../src/cli/app-directory.ts'
import { leanCredentialLibrary, pageFiles } from './bundle-plugins.ts'

/** CommonJS has no `import.meta`. */
const moduleUrl = "const __url=require('node:url').pathToFileURL(__filename).href;"

/** The grammar files of `scan` (WebAssembly, which esbuild does not bundle), by their path from the project root. */
export const grammarFiles: readonly string[] = [
  'tree-sitter.js',
  'tree-sitter.wasm',
  ...grammars.map((name) => `tree-sitter-${name}.wasm`),
].map((name) => `node_modules/@vscode/tree-sitter-wasm/wasm/${name}`)

async function copyGrammars(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await Promise.all(
    grammarFiles.map((file) =>
      copyFile(join(appDirectory, file), join(folder, basename(file).replace(/\.js$/, '.cjs'))),
    ),
  )
}

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
      plugins: [leanCredentialLibrary, pageFiles, chunksOfDynamicImports],
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
      plugin.onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined
        const { path: entry, errors } = await plugin.resolve(path, { kind: 'import-statement', resolveDir })
        if (errors.length > 0) return { errors }
        const chunk = chunks.get(entry) ?? build(entry, '[name]-[hash]')
        chunks.set(entry, chunk)
        return { path: `./${await chunk}`, external: true }
      })
      // A worker thread loads its code from a separate file.
      plugin.onLoad({ filter: /[\\/]src[\\/]scan[\\/]scan-thread\.ts$/ }, async ({ path }) => {
        const entry = join(dirname(path), 'scan-worker.ts')
        const chunk = chunks.get(entry) ?? build(entry, '[name]-[hash]')
        chunks.set(entry, chunk)
        const source = await readFile(path, 'utf8')
        return { contents: source.replace('./scan-worker.ts', `./${await chunk}`), loader: 'ts' }
      })
    },
  }
  await build('src/cli/cloud-profile.ts', '[name]', '#!/usr/bin/env node\n')
  await copyGrammars(join(outdir, 'grammars'))
  return metafiles
}
