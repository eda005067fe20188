import { join } from 'node:path'
import { buildBundle, writeWhole } from '../build.ts'
import { appDirectory } from '../src/cli/app-directory.ts'
import { defineCommand, exitCodes } from '../src/cli/command.ts'
import { zip } from './release/archives.ts'
import { bundledFiles, readPackages } from './release/packages.ts'
import { deployedFiles } from './release/package-files.ts'
import { renderNotices } from './release/documents.ts'
import { readSources } from './release/sources.ts'

const archive = 'dist/cloud-profile-service.zip'

export const command = defineCommand({
  description: 'Builds the bundle and packs the files to deploy.',
  options: {},
  async run(_given, { print }) {
    const { files: built, metafiles } = await buildBundle()
    const notices = renderNotices(await readPackages(bundledFiles(metafiles)))
    const files = await deployedFiles(built, notices, await readSources())
    const bytes = zip(files)
    await writeWhole({ path: join(appDirectory, archive), contents: bytes })
    print(`${archive}: ${files.size} files, ${Math.round(bytes.length / 1000)} kB\n`)
    return exitCodes.passed
  },
})
