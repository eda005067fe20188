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
  /** Replaces an existing file, and nothing else. */
  readonly force?: boolean
}

/** @throws {UsageError} if {@link writeNewFile} would fail, as far as can be checked before. */
export function expectWritable(path: string, { force = false }: WriteOptions = {}): void {
  const shown = JSON.stringify(path)
  if (path.trim() === '') throw new UsageError('The path of a file to write is blank')
  try {
    if (!statSync(dirname(path)).isDirectory()) throw new UsageError(`${shown} cannot be written: its folder is a file`)
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return
    if (!force) throw new UsageError(`${shown} exists; --force replaces it`)
    // A rename would put a file in the place of a device or a pipe that others are using.
    if (!statSync(path).isFile())
      throw new UsageError(`${shown} cannot be written: it is not a file, and --force replaces only files`)
  } catch (error) {
    throw error instanceof UsageError ? error : toWriteError(path, error)
  }
}

/**
 * Writes a file atomically. Without `force` an existing file stays, even if another process has just created it.
 *
 * @throws {UsageError} with the reason why the file cannot be written.
 */
export function writeNewFile(path: string, text: string, { force = false }: WriteOptions = {}): void {
  expectWritable(path, { force })
  // Replaces the target of a link. The link stays.
  const target = force && isThere(path) ? realpathSync(path) : path
  // Not derived from the name of the file, which may already have the maximal length.
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

/** Unlike a rename, a link never replaces a file. File systems without links get an exclusive copy. */
function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    copyFileSync(draft, path, constants.COPYFILE_EXCL)
  }
}

/** The meaning of error codes of a file system that a person can correct. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of the path is a file',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links form a loop',
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
