import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { VERSION } from '../../src/lib/settings/version.ts'
import { appDirectory } from '../../src/cli/app-directory.ts'
import type { ArchiveFiles } from './archives.ts'
import { filesBelow, type Sources } from './sources.ts'

/** The command of the package, from its root. */
export const commandFile = 'dist/cli/cloud-profile.cjs'

/** The entry point that App Service on a stack starts. */
const webAppEntry = ['server.js', 'web.config']

/** The command of the package of the scan, from its root. */
export const scanFile = 'cloud-profile-scan.mjs'

/** No package of this project is published. A later publication needs a scope, and is not public by mistake. */
const publishConfig = { access: 'restricted', provenance: true } as const

const text = (content: string) => new TextEncoder().encode(content)

/** Reads files by their path from the root of the project. */
async function readFiles(paths: readonly string[]): Promise<Map<string, Uint8Array>> {
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(appDirectory, path))] as const)),
  )
}

const below = ({ files }: Sources, folder: string) => [...files].filter((path) => path.startsWith(`${folder}/`))

/** The files of a function app. @param bundle The built files. */
export async function deployedFiles(
  bundle: readonly string[],
  notices: string,
  sources: Sources,
): Promise<ArchiveFiles> {
  const files = await readFiles(['host.json', 'LICENSE', ...bundle, ...below(sources, 'cloud-profiles')])
  const { name, type, main, engines } = await readManifest()
  // No dependencies: the bundle contains them, and a host would try to install them.
  files.set('package.json', json({ name, version: VERSION, type, main, engines }))
  files.set('THIRD-PARTY-NOTICES.txt', text(notices))
  return files
}

/** The files of the npm package: command, app, library and profiles. */
export async function packedFiles(
  bundle: readonly string[],
  { notices, readme }: { readonly notices: string; readonly readme: string },
  sources: Sources,
): Promise<ArchiveFiles> {
  const folders = ['dist/cli', 'dist/lib', 'dist/testing'].map(filesBelow)
  const built = ['host.json', ...bundle, ...(await Promise.all(folders)).flat()]
  const { main, exports, typesVersions, ...manifest } = await libraryManifest()
  return packageOf(
    built,
    {
      ...manifest,
      main,
      exports,
      typesVersions,
      bin: { 'cloud-profile': commandFile },
      files: ['dist', 'cloud-profiles', 'host.json', 'THIRD-PARTY-NOTICES.txt'],
    },
    { notices, readme },
    sources,
  )
}

/** The files of the npm package of the library alone: the same name and the same imports, without the command, the server and the enclave. */
export async function libraryFiles(
  texts: { readonly notices: string; readonly readme: string },
  sources: Sources,
): Promise<ArchiveFiles> {
  const { exports, typesVersions, ...manifest } = await libraryManifest()
  const without = (entries: object, name: string) =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => key !== name))
  return packageOf(
    await filesBelow('dist/lib'),
    {
      ...manifest,
      main: 'dist/lib/index.cjs',
      exports: without(exports, './testing'),
      typesVersions: { '*': without(typesVersions['*'], 'testing') },
      files: ['dist', 'cloud-profiles', 'THIRD-PARTY-NOTICES.txt'],
    },
    texts,
    sources,
  )
}

async function libraryManifest() {
  const { name, description, license, type, main, exports, typesVersions, engines } = await readManifest()
  return {
    name,
    version: VERSION,
    description,
    license,
    type,
    main,
    types: 'dist/lib/index.d.ts',
    sideEffects: false,
    publishConfig,
    engines,
    exports: exports as object,
    typesVersions: typesVersions as { readonly '*': object },
  }
}

async function packageOf(
  built: readonly string[],
  manifest: object,
  { notices, readme }: { readonly notices: string; readonly readme: string },
  sources: Sources,
): Promise<ArchiveFiles> {
  const files = await readFiles(['LICENSE', ...built, ...below(sources, 'cloud-profiles')])
  files.set('package.json', json(manifest))
  files.set('THIRD-PARTY-NOTICES.txt', text(notices))
  files.set('README.md', text(readme))
  return files
}

/** The files of the npm package of the scan. */
export async function scanFiles(notices: string): Promise<ArchiveFiles> {
  const manifest = JSON.parse(await readFile(join(appDirectory, 'packages/scan/package.json'), 'utf8')) as Record<
    string,
    unknown
  >
  const { name, description, license, type, engines } = manifest
  const read = await readFiles(['LICENSE', 'packages/scan/README.md', `dist/scan/${scanFile}`])
  const files = new Map([...read].map(([path, content]) => [basename(path), content]))
  files.set(
    'package.json',
    json({
      name,
      version: VERSION,
      description,
      license,
      type,
      bin: { 'cloud-profile-scan': scanFile },
      files: [scanFile, 'THIRD-PARTY-NOTICES.txt'],
      publishConfig,
      engines,
    }),
  )
  files.set('THIRD-PARTY-NOTICES.txt', text(notices))
  return files
}

/** The files of a web app on an on-premises stack: its entry, and the command that it starts. No build runs there. */
export async function webAppFiles(notices: string, sources: Sources): Promise<ArchiveFiles> {
  const commands = await filesBelow('dist/cli')
  const files = await readFiles(['LICENSE', ...commands, ...below(sources, 'cloud-profiles')])
  for (const [path, content] of await readFiles(webAppEntry.map((name) => `deploy/stack/${name}`))) {
    files.set(basename(path), content)
  }
  const { name, engines } = await readManifest()
  files.set('package.json', json({ name, version: VERSION, engines }))
  files.set('THIRD-PARTY-NOTICES.txt', text(notices))
  return files
}

/** The guides and the files of `deploy` that they use. Links between them work in the release too, and so does the schema of the example. */
export async function guideFiles(sources: Sources): Promise<ArchiveFiles> {
  const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE', ...below(sources, 'docs')]
  return readFiles([...pages, ...below(sources, 'deploy'), 'cloud-profiles/schema.json'])
}

async function readManifest(): Promise<Readonly<Record<string, unknown>>> {
  return JSON.parse(await readFile(join(appDirectory, 'package.json'), 'utf8')) as Readonly<Record<string, unknown>>
}

function json(value: unknown): Uint8Array {
  return text(`${JSON.stringify(value, undefined, 2)}\n`)
}
