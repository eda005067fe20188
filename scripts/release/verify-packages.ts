import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { homedir, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '../../src/lib/base/env.ts'
import { appDirectory } from '../../src/cli/app-directory.ts'
import { UsageError } from '../../src/cli/exit.ts'
import { filesOfTarball } from './archives.ts'

/** A package in node_modules, and the SHA-512 of its archive in the lockfile. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  readonly folder: string
  readonly sha512: string
}

/**
 * Compares installed packages with the archives that the lockfile names. npm installs from the same archives, but does not check node_modules
 * later.
 *
 * @param used Files of the packages that are part of the build: each must be in its archive.
 * @throws {UsageError} that names the files that differ, or the archives that cannot be read.
 */
export async function verifyPackages(packages: readonly InstalledPackage[], used: readonly string[]): Promise<void> {
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
      if (!isSame(join(appDirectory, path), content) && !isReplacedByInstall(path)) changed.push(path)
    }
  }
  changed.push(...used.map(installedPath).filter((path) => !known.has(path)))
  if (changed.length === 0) return
  throw new UsageError(
    `Files of node_modules differ from the archives in package-lock.json: ${changed.join(', ')}. Run npm ci`,
  )
}

/** The path of a file from the root of the project, as in the lockfile. */
function installedPath(path: string): string {
  return path.replaceAll('\\', '/').slice(Math.max(0, path.indexOf('node_modules/')))
}

/** The installation script of esbuild replaces its launcher with the binary. The build starts the binary itself. */
function isReplacedByInstall(path: string): boolean {
  return path === 'node_modules/esbuild/bin/esbuild'
}

function isSame(file: string, content: Uint8Array): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true && readFileSync(file).equals(content)
}

/** Archives by their SHA-512: from npm's cache, else from the registry. */
async function readArchives(packages: readonly InstalledPackage[]): Promise<ReadonlyMap<string, Buffer>> {
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

/** npm with the configuration of this user, also where HOME names another folder. */
async function npm(args: readonly string[], cwd: string): Promise<string> {
  const env = { ...process.env, HOME: userInfo().homedir || homedir() }
  // A script runs this command by npm, which says where it is. On Windows no other npm can be started without a shell.
  const script = process.env['npm_execpath'] ?? ''
  const [file, ...first] = /\bnpm-cli\.c?js$/.test(script)
    ? [process.execPath, script]
    : [findProgram('npm', process.env) ?? '']
  return (await promisify(execFile)(file, [...first, ...args], { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout
}
