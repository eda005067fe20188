import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../../src/lib/settings/version.ts'
import { appDirectory } from '../../src/cli/app-directory.ts'
import type { ArchiveFiles } from './archives.ts'
import { filesBelow, type Sources } from './sources.ts'

/** The command of the package, from its root. */
export const commandFile = 'dist/cli/cloud-profile.cjs'

/** The files by which App Service on a stack starts the command. */
const webAppEntry = ['deploy/stack/server.js', 'deploy/stack/web.config']

/** Prevents publication by mistake: npm refuses `restricted` for a package without a scope. */
const publishConfig = { access: 'restricted', provenance: true } as const

/** Reads files by path relative to the root of the project. */
const readFiles = (paths: readonly string[]): Map<string, Uint8Array> =>
  new Map(paths.map((path) => [path, readFileSync(join(appDirectory, path))]))

const below = ({ files }: Sources, folder: string) => [...files].filter((path) => path.startsWith(`${folder}/`))

/** Generated texts of a package. */
interface Texts {
  readonly notices: string
  readonly readme?: string
}

/** Folders of the repository with files that are at the root of the package. */
const movedToRoot = /^(?:deploy\/stack|dist\/enclave|packages\/enclave)\//

function packageOf(paths: readonly string[], manifest: object, { notices, readme }: Texts): Map<string, Uint8Array> {
  const files = [...readFiles(['LICENSE', ...paths])].map(([path, content]) => [path.replace(movedToRoot, ''), content])
  const texts = {
    'package.json': `${JSON.stringify(manifest, undefined, 2)}\n`,
    'THIRD-PARTY-NOTICES.txt': notices,
    ...(readme !== undefined && { 'README.md': readme }),
  }
  const encoded = Object.entries(texts).map(([path, text]) => [path, new TextEncoder().encode(text)])
  return new Map([...files, ...encoded] as [string, Uint8Array][])
}

/** The files of a function app. @param bundle The built files. */
export function deployedFiles(bundle: readonly string[], notices: string, sources: Sources) {
  const { name, version, type, main, engines } = readManifest()
  const paths = ['host.json', ...bundle, ...below(sources, 'cloud-profiles')]
  // Without dependencies, which the bundle contains, because a host would try to install them.
  return packageOf(paths, { name, version, type, main, engines }, { notices })
}

/** An npm package: the common fields of the manifests, and its own. @param folder The folder of its package.json. */
function npmPackage(paths: readonly string[], own: object, texts: Texts, folder?: string) {
  const { name, version, description, license, type, engines } = readManifest(folder)
  return packageOf(paths, { name, version, description, license, type, publishConfig, engines, ...own }, texts)
}

/** The npm package of the command, which contains the server, the app and the enclave. */
export function commandFiles(bundle: readonly string[], texts: Texts, sources: Sources): ArchiveFiles {
  const { main } = readManifest()
  const manifest = {
    name: 'cloud-profile',
    main,
    bin: { 'cloud-profile': commandFile },
    files: ['dist', 'cloud-profiles', 'host.json', 'THIRD-PARTY-NOTICES.txt'],
  }
  const built = [...bundle, ...filesBelow('dist/cli')]
  return npmPackage(['host.json', ...built, ...below(sources, 'cloud-profiles')], manifest, texts)
}

/** The npm package of the library. */
export function libraryFiles(texts: Texts, sources: Sources): ArchiveFiles {
  const { exports, typesVersions } = readManifest()
  const manifest = {
    main: 'dist/lib/index.cjs',
    types: 'dist/lib/index.d.ts',
    sideEffects: false,
    exports,
    typesVersions,
    files: ['dist', 'cloud-profiles', 'THIRD-PARTY-NOTICES.txt'],
  }
  return npmPackage([...filesBelow('dist/lib'), ...below(sources, 'cloud-profiles')], manifest, texts)
}

/** The npm package of the enclave, with the built files at its root. */
export function enclaveFiles(notices: string): ArchiveFiles {
  const manifest = {
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
  }
  const paths = ['packages/enclave/README.md', ...filesBelow('dist/enclave')]
  return npmPackage(paths, manifest, { notices }, 'packages/enclave')
}

/** The files of a web app on an on-premises stack: its entry, and the command that the entry starts. */
export function webAppFiles(notices: string, sources: Sources): ArchiveFiles {
  const { name, version, engines } = readManifest()
  const paths = [...filesBelow('dist/cli'), ...below(sources, 'cloud-profiles'), ...webAppEntry]
  return packageOf(paths, { name, version, engines }, { notices })
}

/** The guides and the files of `deploy`. Paths are kept, so that links and the schema of the example work. */
export function guideFiles(sources: Sources): ArchiveFiles {
  const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE', ...below(sources, 'docs')]
  return readFiles([...pages, ...below(sources, 'deploy'), 'cloud-profiles/schema.json'])
}

function readManifest(folder = '.'): Readonly<Record<string, unknown>> {
  const manifest = readFileSync(join(appDirectory, folder, 'package.json'), 'utf8')
  return { ...(JSON.parse(manifest) as object), version: VERSION }
}
