import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { buildBundle } from '../build.ts'
import { printableJson } from '../src/lib/base/printable.ts'
import { renderClouds } from '../src/lib/profile/profile-files.ts'
import { VERSION } from '../src/lib/settings/version.ts'
import { appDirectory } from '../src/cli/app-directory.ts'
import { buildCommandLine } from './build/build-command-line.ts'
import { buildEnclave, buildLibrary } from './build/build-library.ts'
import { defineCommand, exitCodes, UsageError } from '../src/cli/command.ts'
import { tarball, zip } from './release/archives.ts'
import { bundledFiles, readPackages, verifyPackages } from './release/packages.ts'
import * as contents from './release/package-files.ts'
import * as documents from './release/documents.ts'
import { readSources, type Sources } from './release/sources.ts'

const folder = 'dist/release'

export const command = defineCommand({
  description: `Builds everything for an air-gapped installation into ${folder}. A commit gives the same bytes on every machine.`,
  options: {},
  async run(_given, { print, note, show }) {
    // Read before the build, which writes files.
    const sources = await readSources()
    if (sources.changed.length > 0)
      note(`The working tree is dirty, and the provenance says so: ${sources.changed.join(', ')}`)
    show('Building')
    const { files, packages } = await makeFiles(sources)
    files.set('provenance.json', documents.renderProvenance(sumsOf(files), packages, sources))
    files.set('SHA256SUMS', [...sumsOf(files)].map(([name, sum]) => `${sum}  ${name}\n`).join(''))
    await writeFolder(files)
    for (const [name, content] of files) print(`${folder}/${name}  ${Math.ceil(content.length / 1000)} kB\n`)
    return exitCodes.passed
  },
})

type ReleaseFiles = Map<string, string | Uint8Array>

async function makeFiles(sources: Sources) {
  const bundle = await buildBundle()
  // Also before the longer builds, so that a mistake shows early.
  expectSources([bundle.metafile], sources)
  const builds = [await buildLibrary(), await buildEnclave()]
  const commands = await buildCommandLine(join(appDirectory, 'dist/cli'))
  const metafiles = [bundle.metafile, ...builds.map(({ metafile }) => metafile), commands]
  const deployed = readPackages(bundledFiles([bundle.metafile]))
  expectSources(metafiles, sources)
  const used = [...bundledFiles(metafiles), ...builds.flatMap(({ typeFiles }) => typeFiles)]
  await verifyPackages(used, documents.tools)
  const packages = readPackages(used)
  const notices = documents.renderNotices(packages)
  const library = contents.libraryFiles({ notices, readme: template('library-readme.md') }, sources)
  const packed = contents.commandFiles(bundle.files, { notices, readme: template('command-readme.md') }, sources)
  const executable = new Set([contents.commandFile])
  const name = `cloud-profile-service-${VERSION}`
  const files: ReleaseFiles = new Map<string, string | Uint8Array>([
    ['README.md', template('README.md')],
    ['THIRD-PARTY-NOTICES.txt', notices],
    [`${name}-functions.zip`, zip(contents.deployedFiles(bundle.files, documents.renderNotices(deployed), sources))],
    [`${name}-stack.zip`, zip(contents.webAppFiles(notices, sources))],
    [`cloud-profile-${VERSION}.tgz`, tarball(packed, { root: 'package', executable })],
    // The files of the package, at their place in the Dockerfile: a layer for an approved base image.
    [`${name}-layer.tar.gz`, tarball(packed, { root: 'opt/cloud-profile/package', executable })],
    [`${name}.tgz`, tarball(library, { root: 'package' })],
    [`cloud-profile-enclave-${VERSION}.tgz`, tarball(contents.enclaveFiles(notices), { root: 'package' })],
    [`${name}-deploy.tar.gz`, tarball(contents.guideFiles(sources), { root: name })],
    ['clouds.json', printableJson(renderClouds())],
    ['egress.json', documents.renderEgress()],
    ['openapi.json', readFileSync(join(appDirectory, 'docs/reference/openapi.json'))],
    ['sbom.cdx.json', documents.renderSbom(packages)],
    ['settings.json', documents.renderSettingsJson()],
    ['sign.sh', template('sign.sh')],
    ['verify.sh', template('verify.sh')],
  ])
  return { files, packages }
}

/** @throws {UsageError} if a file of the build is not part of the commit, such as an ignored file. */
function expectSources(metafiles: readonly Metafile[], { commit, files }: Sources): void {
  if (commit === undefined) return
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs))
  const foreign = inputs.filter((path) => !path.includes('node_modules/') && !path.includes(':') && !files.has(path))
  if (foreign.length > 0)
    throw new UsageError(`Commit ${[...new Set(foreign)].join(', ')}: the build uses files that are not in the commit`)
}

function template(name: string): string {
  const text = readFileSync(join(appDirectory, 'scripts/release/files', name), 'utf8')
  return text.replaceAll('{{version}}', VERSION)
}

function sumsOf(files: ReleaseFiles): ReadonlyMap<string, string> {
  const sum = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, content]) => [name, sum(content)]))
}

/** Writes a temporary folder and renames it, so that no incomplete release is visible. */
async function writeFolder(files: ReleaseFiles): Promise<void> {
  const target = join(appDirectory, folder)
  const draft = `${target}.${randomUUID()}.tmp`
  try {
    await mkdir(draft, { recursive: true, mode: 0o755 })
    for (const [name, content] of files) {
      await writeFile(join(draft, name), content)
      await chmod(join(draft, name), name.endsWith('.sh') ? 0o755 : 0o644)
    }
    await rm(target, { recursive: true, force: true })
    await rename(draft, target)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
