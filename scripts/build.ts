import { join } from 'node:path'
import { buildBundle, writeWhole } from '../build.ts'
import { appDirectory } from '../src/cli/app-directory.ts'
import { buildEnclave, buildLibrary } from './build/build-library.ts'
import { defineCommand, exitCodes } from '../src/cli/command.ts'
import { bundledFiles, readPackages } from './release/packages.ts'
import { renderNotices } from './release/documents.ts'

export const command = defineCommand({
  description:
    'Builds the bundle to deploy with its license notices, and the library and the enclave with their types, into dist.',
  options: {},
  async run() {
    const { metafile } = await buildBundle()
    // Written also here, because `func pack` deploys files of this folder (.funcignore).
    const contents = renderNotices(readPackages(bundledFiles([metafile])))
    const path = join(appDirectory, 'THIRD-PARTY-NOTICES.txt')
    await writeWhole({ path, contents: new TextEncoder().encode(contents) })
    await buildLibrary()
    await buildEnclave()
    return exitCodes.passed
  },
})
