import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { appDirectory } from '../../src/cli/app-directory.ts'

/** A package whose code or types are part of the build. */
export interface BundledPackage {
  /** Its folder, as in the lockfile. */
  readonly folder: string
  readonly name: string
  readonly version: string
  readonly description?: string
  /** The SPDX expression in its package.json, such as `MIT`. */
  readonly license: string
  /** The texts of its license and notices. */
  readonly texts: readonly string[]
  readonly homepage?: string
  /** Package URL, such as `pkg:npm/%40azure/identity@4.14.1`. */
  readonly purl: string
  /** SHA-512 of its archive in the lockfile, in hexadecimal. */
  readonly sha512: string
}

type Dependencies = Readonly<Record<string, string>>

interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly dependencies?: Dependencies
  readonly optionalDependencies?: Dependencies
}

interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage | undefined>>
}

async function readLockFile(): Promise<LockFile> {
  return JSON.parse(await readFile(join(appDirectory, 'package-lock.json'), 'utf8')) as LockFile
}

/** The third-party files in the output of esbuild. */
export function bundledFiles(metafiles: readonly Metafile[]): string[] {
  return metafiles
    .flatMap(({ outputs }) => Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs)))
    .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && path.includes('node_modules/'))
    .map(([path]) => path)
}

/** The folder of a file's package, as in the lockfile. */
function packageFolder(path: string): string {
  const installed = path.slice(Math.max(0, path.indexOf('node_modules/')))
  const [folder] = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(installed) ?? []
  if (folder === undefined) throw new Error(`${path} belongs to no package`)
  return folder
}

/** A file of each of these packages and of all that they load. Packages for other platforms are not installed. */
export async function filesOfPackages(names: readonly string[]): Promise<string[]> {
  const { packages } = await readLockFile()
  const folders = new Set(names.map((name) => `node_modules/${name}`))
  // Iterating a Set also visits the members that the loop adds.
  for (const folder of folders) {
    const { dependencies, optionalDependencies } = packages[folder] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = installedFrom(folder, name, packages)
      if (found !== undefined) folders.add(found)
    }
  }
  return [...folders].map((folder) => `${folder}/package.json`).filter((file) => existsSync(join(appDirectory, file)))
}

/** Where Node finds a package that a package loads: in its folder, or in one above. */
function installedFrom(folder: string, name: string, packages: LockFile['packages']): string | undefined {
  for (let above = folder; ; above = above.slice(0, Math.max(0, above.lastIndexOf('/node_modules/')))) {
    const path = above === '' ? `node_modules/${name}` : `${above}/node_modules/${name}`
    if (packages[path] !== undefined || above === '') return packages[path] === undefined ? undefined : path
  }
}

/** The packages of these files, each folder once. */
export async function readInstalledPackages(files: readonly string[]): Promise<BundledPackage[]> {
  const lock = await readLockFile()
  const folders = [...new Set(files.map(packageFolder))].sort()
  return Promise.all(folders.map((folder) => readPackage(folder, lock)))
}

/** The packages of these files, each version once, by name. */
export async function readPackages(files: readonly string[]): Promise<BundledPackage[]> {
  const packages = await readInstalledPackages(files)
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
    throw new Error(`${folder} lacks a name, version or license, or a hash in the lockfile`)
  }
  if (lock.packages[folder]?.version !== version) throw new Error(`${folder} does not match the lockfile. Run npm ci`)
  const names = (await readdir(directory)).filter((file) => /^(licen[cs]e|copying|notice)(\.|-|$)/i.test(file)).sort()
  const texts = await Promise.all(names.map((file) => readFile(join(directory, file), 'utf8')))
  return {
    folder,
    name,
    version,
    ...(description === undefined ? {} : { description }),
    license,
    texts: texts.map((text) => text.replaceAll('\r\n', '\n').trim()),
    ...(homepage === undefined ? {} : { homepage }),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    sha512: sha512Of(integrity),
  }
}

/** Reads `sha512-…` in base 64, the format of lockfiles. */
function sha512Of(integrity: string): string {
  const [, digest] = /^sha512-([A-Za-z0-9+/=]+)$/.exec(integrity) ?? []
  if (digest === undefined) throw new Error(`${integrity} is not a SHA-512 hash`)
  return Buffer.from(digest, 'base64').toString('hex')
}
