import { join } from 'node:path'
import { buildBundle, writeWhole } from '../build.ts'
import { appDirectory } from '../src/cli/app-directory.ts'
import { buildLibrary } from './build/build-library.ts'
import { defineCommand, exitCodes } from '../src/cli/command.ts'
import { bundledFiles, readPackages } from './release/packages.ts'
import { renderNotices } from './release/documents.ts'

export const command = defineCommand({
  description: 'Builds the bundle to deploy with its license notices, and the library with its types, into dist.',
  options: {},
  async run() {
    const { metafiles } = await buildBundle()
    // `func pack` deploys files of this folder (.funcignore), so the notices that `npm run package` generates must exist here too.
    const contents = renderNotices(await readPackages(bundledFiles(metafiles)))
    await writeWhole({
      path: join(appDirectory, 'THIRD-PARTY-NOTICES.txt'),
      contents: new TextEncoder().encode(contents),
    })
    await buildLibrary()
    return exitCodes.passed
  },
})
