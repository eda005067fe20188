import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '../../src/lib/base/env.ts'
import { appDirectory } from '../../src/cli/app-directory.ts'
import { UsageError } from '../../src/cli/command.ts'

/** The sources of a release. */
export interface Sources {
  /** `undefined` outside a repository. */
  readonly commit: string | undefined
  /** The files of the commit, or outside a repository the files on the disk. */
  readonly files: ReadonlySet<string>
  /** Files that differ from the commit, and files that are neither in the commit nor ignored. */
  readonly changed: readonly string[]
}

/**
 * Compares the files on the disk with the commit, byte by byte, because git can be configured to overlook changes.
 *
 * @throws {UsageError} in a repository without a readable commit, because the files on the disk may differ from it.
 */
export async function readSources(): Promise<Sources> {
  try {
    if ((await git('rev-parse', '--show-prefix')).trim() !== '')
      throw new Error('This folder is part of another repository')
    const commit = (await git('rev-parse', 'HEAD')).trim()
    const rows = (await git('ls-tree', '-r', '-z', 'HEAD')).matchAll(/\d+ \w+ ([0-9a-f]+)\t([^\0]*)\0/g)
    const blobs = [...rows].map(([, blob = '', path = '']) => ({ path, blob }))
    const files = new Set(blobs.map(({ path }) => path))
    // Includes the index: a file that is only in the index is neither in the commit nor among the others.
    const listed = (await git('ls-files', '--cached', '--others', '--exclude-standard', '-z')).split('\0')
    const others = listed.filter((path) => path !== '' && !files.has(path))
    const changed = [...blobs.filter(isChanged).map(({ path }) => path), ...others]
    return { commit, files, changed: changed.sort() }
  } catch {
    if (existsSync(join(appDirectory, '.git')))
      throw new UsageError('Install git, and commit the sources: the commit of this repository cannot be read')
    return { commit: undefined, files: new Set(filesBelow('.')), changed: [] }
  }
}

/** The files below a folder, by path relative to the root of the project. */
export function filesBelow(folder: string): string[] {
  const root = join(appDirectory, folder)
  const entries = readdirSync(root, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return files.map((path) => path.slice(appDirectory.length).replaceAll('\\', '/').replace(/^\//, ''))
}

/** Reads the real objects of the commit, also in a repository of another user. */
const plain = ['--no-replace-objects', '-c', 'safe.directory=*', '-c', 'core.fsmonitor=false']

async function git(...args: readonly string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
  const options = { cwd: appDirectory, env, maxBuffer: 64 * 1024 * 1024 }
  return (await promisify(execFile)(findProgram('git', process.env) ?? '', [...plain, ...args], options)).stdout
}

function isChanged({ path, blob }: { readonly path: string; readonly blob: string }): boolean {
  const file = join(appDirectory, path)
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return true
  const content = readFileSync(file)
  const hash = createHash(blob.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${content.length}\0`)
    .update(content)
  return hash.digest('hex') !== blob
}
