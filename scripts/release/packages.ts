import type { Metafile } from 'esbuild'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { homedir, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { appDirectory } from '../../src/cli/app-directory.ts'
import { UsageError } from '../../src/cli/command.ts'
import { npmCommand } from '../install-packages.ts'
import { filesOfTarball } from './archives.ts'

/** A package with code or types in the build. */
export interface BundledPackage {
  /** The folder, as in the lockfile. */
  readonly folder: string
  readonly name: string
  readonly version: string
  readonly description?: string
  /** The SPDX expression in package.json, such as `MIT`. */
  readonly license: string
  /** The texts of license and notices. */
  readonly texts: readonly string[]
  readonly homepage?: string
  /** Package URL, such as `pkg:npm/%40azure/identity@4.14.1`. */
  readonly purl: string
  /** SHA-512 of the archive, in hexadecimal. */
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

/** The path of an installed file, relative to the root of the project, as in the lockfile. */
function installedPath(path: string): string {
  return path.replaceAll('\\', '/').slice(Math.max(0, path.indexOf('node_modules/')))
}

/** The folder of a file's package, as in the lockfile. */
function packageFolder(path: string): string {
  const [folder] = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(installedPath(path)) ?? []
  if (folder === undefined) throw new Error(`${path} belongs to no package`)
  return folder
}

/** One file of each of these packages and of each package that they load, if it is installed. */
async function filesOfPackages(names: readonly string[]): Promise<string[]> {
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

/** The folder where Node finds a dependency of the package in `folder`: below it, or below a folder above. */
function installedFrom(folder: string, name: string, packages: LockFile['packages']): string | undefined {
  for (let above = folder; ; above = above.slice(0, Math.max(0, above.lastIndexOf('/node_modules/')))) {
    const path = above === '' ? `node_modules/${name}` : `${above}/node_modules/${name}`
    if (packages[path] !== undefined || above === '') return packages[path] === undefined ? undefined : path
  }
}

/** The installed packages of these files. */
async function readInstalledPackages(files: readonly string[]): Promise<BundledPackage[]> {
  const lock = await readLockFile()
  const folders = [...new Set(files.map(packageFolder))].sort()
  return Promise.all(folders.map((folder) => readPackage(folder, lock)))
}

/** The packages of these files by name, without a second copy of a version. */
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
    throw new Error(`${folder} has no name, version or license, or no hash in the lockfile`)
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

/**
 * Compares installed packages with the archives of the lockfile. npm installs them from these archives, but never checks node_modules again.
 *
 * @param used Third-party files in the build. Each must be in an archive.
 * @param tools Packages that made the build. Their dependencies are compared too.
 * @throws {UsageError} that lists the files that differ, or the archives that can't be read.
 */
export async function verifyPackages(used: readonly string[], tools: readonly string[]): Promise<void> {
  const packages = await readInstalledPackages([...used, ...(await filesOfPackages(tools))])
  const archives = await readArchives(packages)
  const missing = packages
    .filter(({ sha512 }) => !archives.has(sha512))
    .map(({ name, version }) => `${name}@${version}`)
  if (missing.length > 0) {
    throw new UsageError(
      `The archives of ${missing.join(', ')} are neither in npm's cache nor available from the registry. Run npm ci`,
    )
  }
  const known = new Set<string>()
  const changed: string[] = []
  for (const { folder, sha512 } of packages) {
    for (const [name, content] of filesOfTarball(archives.get(sha512) ?? Buffer.alloc(0))) {
      const path = `${folder}/${name}`
      known.add(path)
      const file = join(appDirectory, path)
      const isFile = lstatSync(file, { throwIfNoEntry: false })?.isFile() === true
      // The install script of esbuild replaces its launcher with the binary.
      if (path === 'node_modules/esbuild/bin/esbuild') continue
      if (!isFile || !readFileSync(file).equals(content)) changed.push(path)
    }
  }
  changed.push(...used.map(installedPath).filter((path) => !known.has(path)))
  if (changed.length === 0) return
  throw new UsageError(
    `Files of node_modules differ from the archives in package-lock.json: ${changed.join(', ')}. Run npm ci`,
  )
}

/** Archives by SHA-512, from npm's cache, or else from the registry. */
async function readArchives(packages: readonly BundledPackage[]): Promise<ReadonlyMap<string, Buffer>> {
  const cache = (await npm(['config', 'get', 'cache'], appDirectory).catch(() => '')).trim()
  const found = new Map<string, Buffer>()
  const add = (file: string) => {
    const bytes = readFileSync(file)
    found.set(createHash('sha512').update(bytes).digest('hex'), bytes)
  }
  for (const { sha512 } of packages) {
    const path = join(cache, '_cacache/content-v2/sha512', sha512.slice(0, 2), sha512.slice(2, 4), sha512.slice(4))
    if (existsSync(path)) add(path)
  }
  const missing = packages.filter(({ sha512 }) => !found.has(sha512))
  if (missing.length === 0) return found
  const folder = await mkdtemp(join(tmpdir(), 'archives-'))
  try {
    await npm(['pack', '--silent', ...missing.map(({ name, version }) => `${name}@${version}`)], folder).catch(() => '')
    for (const name of await readdir(folder)) add(join(folder, name))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return found
}

/** Runs npm with the configuration of this user, even if HOME is another folder. */
async function npm(args: readonly string[], cwd: string): Promise<string> {
  const env = { ...process.env, HOME: userInfo().homedir || homedir() }
  const [file, ...first] = npmCommand()
  return (await promisify(execFile)(file, [...first, ...args], { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout
}
