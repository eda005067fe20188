import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { bundle } from '../../build.ts'
import { appDirectory } from '../../src/cli/app-directory.ts'
import { cloudFiles, leanCredentialLibrary, pageFiles } from './bundle-plugins.ts'
import { sharedParts, splitOptions, toCommonJs } from './split-bundle.ts'

const entryPoint = 'src/cli/cloud-profile.ts'

/** Most commands need them. */
const common = [
  'cli/choose-profile.ts',
  'lib/profile/lint-profile.ts',
  'lib/service/run-smoke-test.ts',
  'lib/transport/certificate-authorities.ts',
  'lib/variables.ts',
].map((path) => join(appDirectory, 'src', path))

/** CommonJS has no `import.meta`. */
const top = `#!/usr/bin/env node
"use strict";const __url=require('node:url').pathToFileURL(__filename).href;`

/** Builds the command line for a package: one file for the table of commands, and chunks for what a command needs. */
export async function buildCommandLine(outdir: string): Promise<esbuild.Metafile> {
  const result = await esbuild.build({
    ...bundle,
    ...splitOptions,
    define: { PACKAGED: 'true', 'import.meta.url': '__url' },
    entryPoints: [entryPoint],
    outdir,
    plugins: [cloudFiles, leanCredentialLibrary, pageFiles, sharedParts(join(appDirectory, entryPoint), common)],
  })
  const { files } = await toCommonJs(result, 'cloud-profile', outdir, top)
  await rm(outdir, { recursive: true, force: true })
  await mkdir(outdir, { recursive: true })
  for (const { path, contents } of files) await writeFile(path, contents)
  return result.metafile
}
