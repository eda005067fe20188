import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { appDirectory } from '../app-directory.ts'

/** A package whose code, or types, stand in what is built. */
export interface BundledPackage {
  readonly name: string
  readonly version: string
  readonly description?: string
  /** As its package.json says, such as `MIT`. */
  readonly license: string
  /** The text of its licence, and of its notices where it has any. */
  readonly texts: readonly string[]
  readonly homepage?: string
  /** Of the archive it was installed from, as the lockfile has it: `sha512-…`. */
  readonly integrity: string
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly integrity?: string } | undefined>>
}

/** The files of others that esbuild put into its output, at least in part. */
export function bundledFiles(metafiles: readonly Metafile[]): string[] {
  return metafiles
    .flatMap(({ outputs }) => Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs)))
    .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && path.includes('node_modules/'))
    .map(([path]) => path)
}

/** The folder of the package that a file belongs to, from the root of the project, as the lockfile names it. */
function packageFolder(path: string): string {
  const installed = path.slice(Math.max(0, path.indexOf('node_modules/')))
  const [folder] = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(installed) ?? []
  if (folder === undefined) throw new Error(`${path} belongs to no package`)
  return folder
}

/** The packages that files belong to, each once, in the order of their names. */
export async function readPackages(files: readonly string[]): Promise<BundledPackage[]> {
  const lock = JSON.parse(await readFile(join(appDirectory, 'package-lock.json'), 'utf8')) as LockFile
  const folders = [...new Set(files.map(packageFolder))].sort()
  const packages = await Promise.all(folders.map((folder) => readPackage(folder, lock)))
  const byKey = new Map(packages.map((each) => [`${each.name}@${each.version}`, each]))
  return [...byKey.keys()].sort().flatMap((key) => byKey.get(key) ?? [])
}

async function readPackage(folder: string, lock: LockFile): Promise<BundledPackage> {
  const directory = join(appDirectory, folder)
  const { name, version, description, license, homepage } = JSON.parse(
    await readFile(join(directory, 'package.json'), 'utf8'),
  ) as { readonly [field: string]: string | undefined }
  const integrity = lock.packages[folder]?.integrity
  if (name === undefined || version === undefined || license === undefined || integrity === undefined) {
    throw new Error(`${folder} lacks its name, version, licence or its hash in the lockfile`)
  }
  if (lock.packages[folder]?.version !== version) throw new Error(`${folder} is not what the lockfile says: run npm ci`)
  const names = (await readdir(directory)).filter((file) => /^(licen[cs]e|copying|notice)(\.|-|$)/i.test(file)).sort()
  const texts = await Promise.all(names.map((file) => readFile(join(directory, file), 'utf8')))
  return {
    name,
    version,
    ...(description === undefined ? {} : { description }),
    license,
    texts: texts.map((text) => text.replaceAll('\r\n', '\n').trim()),
    ...(homepage === undefined ? {} : { homepage }),
    integrity,
  }
}
