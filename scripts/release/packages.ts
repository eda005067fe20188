import type { Metafile } from 'esbuild'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
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

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly integrity?: string } | undefined>>
}

export const readLockFile = (): LockFile =>
  JSON.parse(readFileSync(join(appDirectory, 'package-lock.json'), 'utf8')) as LockFile

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

type Manifest = Readonly<Record<'name' | 'version' | 'description' | 'license' | 'homepage', string | undefined>> &
  Readonly<Record<'dependencies' | 'optionalDependencies', object | undefined>>

const readManifest = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Manifest

/** The manifest of a package, as Node finds it from another file of this project. None if the package isn't installed. */
const manifestOf = (name: string, from: string): string[] =>
  (createRequire(from).resolve.paths(name) ?? [])
    .map((folder) => join(folder, name, 'package.json'))
    .filter((path) => path.startsWith(appDirectory) && existsSync(path))
    .slice(0, 1)

/** The manifests of these packages and of each package that they load. */
function manifestsOf(names: readonly string[]): string[] {
  const found = new Set(names.flatMap((name) => manifestOf(name, join(appDirectory, 'package.json'))))
  // Iterating a Set also visits the members that the loop adds.
  for (const path of found) {
    const { dependencies, optionalDependencies } = readManifest(path)
    const needed = Object.keys({ ...dependencies, ...optionalDependencies })
    for (const each of needed.flatMap((name) => manifestOf(name, path))) found.add(each)
  }
  return [...found]
}

/** The installed packages of these files. */
function readInstalledPackages(files: readonly string[]): BundledPackage[] {
  const lock = readLockFile()
  return [...new Set(files.map(packageFolder))].sort().map((folder) => readPackage(folder, lock))
}

/** The packages of these files by name, without a second copy of a version. */
export function readPackages(files: readonly string[]): BundledPackage[] {
  const byKey = new Map(readInstalledPackages(files).map((each) => [specOf(each), each]))
  return [...byKey.keys()].sort().flatMap((key) => byKey.get(key) ?? [])
}

function readPackage(folder: string, { packages }: LockFile): BundledPackage {
  const directory = join(appDirectory, folder)
  const { name, version, description, license, homepage } = readManifest(join(directory, 'package.json'))
  const { integrity, version: locked } = packages[folder] ?? {}
  if (name === undefined || version === undefined || license === undefined || integrity === undefined)
    throw new Error(`${folder} has no name, version or license, or no hash in the lockfile`)
  if (locked !== version) throw new Error(`${folder} does not match the lockfile. Run npm ci`)
  const names = readdirSync(directory).filter((file) => /^(licen[cs]e|copying|notice)(\.|-|$)/i.test(file))
  const texts = names.sort().map((file) => readFileSync(join(directory, file), 'utf8'))
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
 * @param used Third-party files in the build. @param tools Packages that made the build. Their dependencies are compared too.
 * @throws {UsageError} that lists the files that differ, or the archives that can't be read.
 */
export async function verifyPackages(used: readonly string[], tools: readonly string[]): Promise<void> {
  const packages = readInstalledPackages([...used, ...manifestsOf(tools)])
  const archives = await readArchives(packages)
  const missing = packages.filter(({ sha512 }) => !archives.has(sha512)).map(specOf)
  if (missing.length > 0)
    throw new UsageError(
      `The archives of ${missing.join(', ')} are neither in npm's cache nor available from the registry. Run npm ci`,
    )
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

export const specOf = ({ name, version }: BundledPackage): string => `${name}@${version}`

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
  const folder = mkdtempSync(join(tmpdir(), 'archives-'))
  try {
    await npm(['pack', '--silent', ...missing.map(specOf)], folder).catch(() => '')
    for (const name of readdirSync(folder)) add(join(folder, name))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return found
}

/** Runs npm with the configuration of this user, even if HOME is another folder. */
async function npm(args: readonly string[], cwd: string): Promise<string> {
  const env = { ...process.env, HOME: userInfo().homedir || homedir() }
  const [file, ...first] = npmCommand()
  return (await promisify(execFile)(file, [...first, ...args], { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout
}
