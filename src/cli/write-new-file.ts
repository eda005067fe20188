import { randomBytes } from 'node:crypto'
import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode } from '../lib/base/error-code.ts'
import { UsageError } from './exit.ts'

export interface WriteOptions {
  /** Replaces a file that is there. Never anything but a file. */
  readonly force?: boolean
}

/** @throws {UsageError} when {@link writeNewFile} could not write there, as far as that can be told beforehand. */
export function expectWritable(path: string, { force = false }: WriteOptions = {}): void {
  const shown = JSON.stringify(path)
  if (path.trim() === '') throw new UsageError('The path of a file to write is blank')
  try {
    if (!statSync(dirname(path)).isDirectory()) throw new UsageError(`${shown} cannot be written: its folder is a file`)
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return
    if (!force) throw new UsageError(`${shown} exists; --force replaces it`)
    // A rename would put a file in the place of a device or a pipe that others are using.
    if (!statSync(path).isFile())
      throw new UsageError(`${shown} cannot be written: it is no file, and --force replaces nothing else`)
  } catch (error) {
    throw error instanceof UsageError ? error : toWriteError(path, error)
  }
}

/**
 * Writes a whole file or none: readers never see half of it, and a file that is there stays unless `force` is set,
 * even when it appears meanwhile.
 *
 * @throws {UsageError} that says why the file could not be written.
 */
export function writeNewFile(path: string, text: string, { force = false }: WriteOptions = {}): void {
  expectWritable(path, { force })
  // A file that a link points to is replaced, and the link stays.
  const target = force && isThere(path) ? realpathSync(path) : path
  // A short name of its own: the name of the file may be as long as a name can be.
  const draft = join(dirname(target), `.${randomBytes(8).toString('hex')}.tmp`)
  try {
    writeFileSync(draft, text, { flag: 'wx' })
    if (force) renameSync(draft, target)
    else publish(draft, target)
  } catch (error) {
    throw toWriteError(path, error)
  } finally {
    if (isThere(draft)) rmSync(draft)
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Unlike a rename, a link never replaces what is there. Some file systems have none; an exclusive copy comes next. */
function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    copyFileSync(draft, path, constants.COPYFILE_EXCL)
  }
}

/** What the codes of a file system mean, for those that a person can do something about. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of the path is a file',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links go round in a circle',
}

function toWriteError(path: string, error: unknown): UsageError {
  const code = codeOf(error)
  const shown = JSON.stringify(path)
  if (code === 'EEXIST') return new UsageError(`${shown} exists; --force replaces it`, { cause: error })
  const reason = reasons[code]
  return new UsageError(`${shown} cannot be written${reason === undefined ? '' : `: ${reason}`} (${code})`, {
    cause: error,
  })
}

function codeOf(error: unknown): string {
  return errorCode(error) ?? String(error)
}
