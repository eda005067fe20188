import { join } from 'node:path'
import { buildBundle, writeWhole } from '../build.ts'
import { appDirectory } from '../src/cli/app-directory.ts'
import { buildEnclave, buildLibrary } from './build/build-library.ts'
import { defineCommand, exitCodes } from '../src/cli/command.ts'
import { zip } from './release/archives.ts'
import { deployedFiles } from './release/package-files.ts'
import { bundledFiles, readPackages } from './release/packages.ts'
import { readSources } from './release/sources.ts'
import { renderNotices } from './release/documents.ts'

export const command = defineCommand({
  description:
    'Builds the bundle to deploy with its license notices, and the library and the enclave with their types, into dist.',
  options: {},
  async run() {
    const { metafiles } = await buildBundle()
    // Written also here, because `func pack` deploys files of this folder (.funcignore).
    const contents = renderNotices(await readPackages(bundledFiles(metafiles)))
    const path = join(appDirectory, 'THIRD-PARTY-NOTICES.txt')
    await writeWhole({ path, contents: new TextEncoder().encode(contents) })
    await buildLibrary()
    await buildEnclave()
    return exitCodes.passed
  },
})

export const packageCommand = defineCommand({
  description: 'Builds the bundle and packs the files to deploy.',
  options: {},
  async run(_given, { print }) {
    const archive = 'dist/cloud-profile-service.zip'
    const { files: built, metafiles } = await buildBundle()
    const notices = renderNotices(await readPackages(bundledFiles(metafiles)))
    const files = await deployedFiles(built, notices, await readSources())
    const bytes = zip(files)
    await writeWhole({ path: join(appDirectory, archive), contents: bytes })
    print(`${archive}: ${files.size} files, ${Math.round(bytes.length / 1000)} kB\n`)
    return exitCodes.passed
  },
})
