import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import type { BuildOptions, Metafile, OutputFile, Plugin } from 'esbuild'
import { cloudFiles, leanCredentialLibrary, librarySource, pageFiles } from './scripts/build/bundle-plugins.ts'
import { sharedParts, splitOptions, toCommonJs } from './scripts/build/split-bundle.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const outdir = join(root, 'dist')

/** Packages that only lazy chunks may contain, because every cold start loads `main.cjs`. */
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
export const bundle = { ...shared, format: 'cjs', external: ['@azure/functions-core'] } satisfies BuildOptions

/** Builds to keep in `dist`, because a running service may load a chunk of an older build. */
const keptBuilds = 10

/** Writes a temporary file and renames it, so that no reader sees half of a file. Its name is random, because two containers may build here. */
export async function writeWhole({ path, contents }: Pick<OutputFile, 'path' | 'contents'>): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(temporary, contents)
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
}

/** @param count Chunks of one build. */
async function removeOldChunks(count: number): Promise<void> {
  const chunks = (await readdir(outdir)).filter((name) => /-[0-9A-Z]{8}\.cjs$/.test(name))
  const dated = chunks.map((name) => ({ name, time: statSync(join(outdir, name)).mtimeMs }))
  const old = dated.sort((a, b) => b.time - a.time).slice(keptBuilds * count)
  await Promise.all(old.map(({ name }) => rm(join(outdir, name), { force: true })))
}

const main = {
  ...bundle,
  ...splitOptions,
  entryPoints: ['src/main.ts'],
  outdir,
  plugins: [librarySource, cloudFiles, leanCredentialLibrary, pageFiles, sharedParts(join(root, 'src/main.ts'))],
} satisfies BuildOptions

/** Builds `dist/main.cjs` and its lazy chunks, for deployment. CommonJS, because the worker can inject its core module only there. */
export async function buildBundle(): Promise<{ readonly files: readonly string[]; readonly metafile: Metafile }> {
  const result = await esbuild.build(main)
  return { files: await finish(result), metafile: result.metafile }
}

/** Writes the chunks, and then `main.cjs`. Fails if `main.cjs` contains a package of {@link lazyOnly}. */
async function finish(result: esbuild.BuildResult<typeof main>): Promise<readonly string[]> {
  const { files, startSources } = await toCommonJs(result, 'main', outdir, '"use strict";')
  const found = startSources.find((path) => lazyOnly.test(path))
  if (found !== undefined) throw new Error(`Import ${found} lazily: every cold start would load it`)
  const chunks = files.slice(0, -1)
  await Promise.all(chunks.map(writeWhole))
  await removeOldChunks(chunks.length)
  await Promise.all(files.slice(-1).map(writeWhole))
  return files.map(({ path }) => `dist/${basename(path)}`)
}

/** Builds the bundle, and again after each change of a source. @param onBuilt Called after each successful build. */
export async function watchBundle(onBuilt: () => void): Promise<{ dispose(): Promise<void> }> {
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
        await finish(result)
        onBuilt()
      })
    },
  }
  const builder = await esbuild.context({ ...main, plugins: [...main.plugins, announce] })
  await builder.watch()
  return { dispose: () => builder.dispose() }
}
