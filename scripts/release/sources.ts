import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '../../src/lib/base/env.ts'
import { appDirectory } from '../../src/cli/app-directory.ts'
import { UsageError } from '../../src/cli/command.ts'

/** The sources of a release. */
export interface Sources {
  /** `undefined` outside a repository. */
  readonly commit: string | undefined
  /** The files of the commit; outside a repository those on the disk. */
  readonly files: ReadonlySet<string>
  /** The files that differ from the commit, and those that are neither in it nor ignored. */
  readonly changed: readonly string[]
}

/** @throws {UsageError} in a repository without a readable commit: the files on the disk may differ from it. */
export function requireCommit({ commit }: Sources): void {
  if (commit !== undefined || !existsSync(join(appDirectory, '.git'))) return
  throw new UsageError('The commit of this repository cannot be read. Install git, and commit the sources')
}

/** Reads the commit that is checked out, and compares the disk with it byte by byte: git itself can be told to overlook a change. */
export async function readSources(): Promise<Sources> {
  try {
    if ((await git('rev-parse', '--show-prefix')).trim() !== '')
      throw new Error('This folder is part of another repository')
    const commit = (await git('rev-parse', 'HEAD')).trim()
    const rows = (await git('ls-tree', '-r', '-z', 'HEAD')).split('\0').filter((row) => row !== '')
    const blobs = rows.map((row) => {
      const [, , blob = '', path = ''] = /^(\d+ \w+) ([0-9a-f]+)\t([^]*)$/.exec(row) ?? []
      return { path, blob }
    })
    const files = new Set(blobs.map(({ path }) => path))
    // A file that was only added to the index is neither in the commit nor in the list of others.
    const listed = (await git('ls-files', '--cached', '--others', '--exclude-standard', '-z')).split('\0')
    const others = listed.filter((path) => path !== '' && !files.has(path))
    const changed = [...blobs.filter(isChanged).map(({ path }) => path), ...others]
    return { commit, files, changed: changed.sort() }
  } catch {
    return { commit: undefined, files: new Set(await filesBelow('.')), changed: [] }
  }
}

/** The files below a folder, by their path from the root of the project. */
export async function filesBelow(folder: string): Promise<string[]> {
  const root = join(appDirectory, folder)
  const entries = await readdir(root, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name).slice(appDirectory.length).replaceAll('\\', '/').replace(/^\//, ''),
    )
}

/** Objects as the commit names them, also in a repository of another user. */
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
