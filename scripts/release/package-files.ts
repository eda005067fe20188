import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { VERSION } from '../../src/lib/settings/version.ts'
import { appDirectory } from '../../src/cli/app-directory.ts'
import type { ArchiveFiles } from './archives.ts'
import { filesBelow, type Sources } from './sources.ts'

/** The command of the package, from its root. */
export const commandFile = 'dist/cli/cloud-profile.cjs'

/** The entry point that App Service on a stack starts. */
const webAppEntry = ['deploy/stack/server.js', 'deploy/stack/web.config']

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

/** Texts that are made for a package. */
interface Texts {
  readonly notices: string
  readonly readme?: string
}

/** Files of a package that lie in a folder of the repository, and at the root of the package. */
const movedToRoot = /^(?:deploy\/stack|dist\/enclave|packages\/enclave)\//

async function packageOf(
  paths: readonly string[],
  manifest: object,
  { notices, readme }: Texts,
): Promise<Map<string, Uint8Array>> {
  const read = await readFiles(['LICENSE', ...paths])
  const files = new Map([...read].map(([path, content]) => [path.replace(movedToRoot, ''), content]))
  files.set('package.json', text(`${JSON.stringify(manifest, undefined, 2)}\n`))
  files.set('THIRD-PARTY-NOTICES.txt', text(notices))
  if (readme !== undefined) files.set('README.md', text(readme))
  return files
}

/** The files of a function app. @param bundle The built files. */
export async function deployedFiles(
  bundle: readonly string[],
  notices: string,
  sources: Sources,
): Promise<ArchiveFiles> {
  const { name, version, type, main, engines } = await readManifest()
  const paths = ['host.json', ...bundle, ...below(sources, 'cloud-profiles')]
  // No dependencies: the bundle contains them, and a host would try to install them.
  return packageOf(paths, { name, version, type, main, engines }, { notices })
}

/** The fields that the manifest of every npm package has. */
async function manifestOf(folder?: string) {
  const { name, version, description, license, type, engines } = await readManifest(folder)
  return { name, version, description, license, type, publishConfig, engines }
}

/** The npm package of the command, with the server, the app that it serves, and the enclave inside. */
export async function commandFiles(bundle: readonly string[], texts: Texts, sources: Sources): Promise<ArchiveFiles> {
  const { main } = await readManifest()
  return packageOf(
    ['host.json', ...bundle, ...(await filesBelow('dist/cli')), ...below(sources, 'cloud-profiles')],
    {
      ...(await manifestOf()),
      name: 'cloud-profile',
      main,
      bin: { 'cloud-profile': commandFile },
      files: ['dist', 'cloud-profiles', 'host.json', 'THIRD-PARTY-NOTICES.txt'],
    },
    texts,
  )
}

/** The npm package of the library. */
export async function libraryFiles(texts: Texts, sources: Sources): Promise<ArchiveFiles> {
  const { exports, typesVersions } = await readManifest()
  return packageOf(
    [...(await filesBelow('dist/lib')), ...below(sources, 'cloud-profiles')],
    {
      ...(await manifestOf()),
      main: 'dist/lib/index.cjs',
      types: 'dist/lib/index.d.ts',
      sideEffects: false,
      exports,
      typesVersions,
      files: ['dist', 'cloud-profiles', 'THIRD-PARTY-NOTICES.txt'],
    },
    texts,
  )
}

/** The npm package of the enclave: its folder has the built files at its root. */
export async function enclaveFiles(notices: string): Promise<ArchiveFiles> {
  const built = await filesBelow('dist/enclave')
  return packageOf(
    ['packages/enclave/README.md', ...built],
    {
      ...(await manifestOf('packages/enclave')),
      main: 'index.cjs',
      types: 'index.d.ts',
      sideEffects: false,
      exports: {
        '.': {
          import: { types: './index.d.ts', default: './index.js' },
          require: { types: './index.d.cts', default: './index.cjs' },
        },
        './package.json': './package.json',
      },
      files: ['*.js', '*.cjs', '*.d.ts', '*.d.cts', 'THIRD-PARTY-NOTICES.txt'],
    },
    { notices },
  )
}

/** The files of a web app on an on-premises stack: its entry, and the command that it starts. No build runs there. */
export async function webAppFiles(notices: string, sources: Sources): Promise<ArchiveFiles> {
  const { name, version, engines } = await readManifest()
  const paths = [...(await filesBelow('dist/cli')), ...below(sources, 'cloud-profiles'), ...webAppEntry]
  return packageOf(paths, { name, version, engines }, { notices })
}

/** The guides and the files of `deploy` that they use. Links between them work in the release too, and so does the schema of the example. */
export async function guideFiles(sources: Sources): Promise<ArchiveFiles> {
  const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE', ...below(sources, 'docs')]
  return readFiles([...pages, ...below(sources, 'deploy'), 'cloud-profiles/schema.json'])
}

async function readManifest(folder = '.'): Promise<Readonly<Record<string, unknown>>> {
  const manifest = await readFile(join(appDirectory, folder, 'package.json'), 'utf8')
  return { ...(JSON.parse(manifest) as object), version: VERSION }
}
