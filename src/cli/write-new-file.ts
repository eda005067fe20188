import { randomBytes } from 'node:crypto'
import { constants, copyFileSync, linkSync, lstatSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { errorCode } from '../lib/base/files.ts'
import { quote } from '../lib/base/printable.ts'

export interface WriteOptions {
  /** Replaces an existing file, and nothing else. */
  readonly force?: boolean
  /** A folder that somebody else may have filled. Default is the working directory. */
  readonly tree?: string
}

/** A file cannot be written. The message names the file and the reason. */
class WriteError extends Error {
  override readonly name = 'WriteError'
}

/**
 * Writes a file atomically, and follows no link: neither one in place of the file, nor one in place of a folder of `tree`. Without `force`
 * an existing file stays, even if another process has just created it.
 *
 * @throws {WriteError}
 */
export function writeNewFile(path: string, text: string | Uint8Array, options: WriteOptions = {}): void {
  expectWritable(path, options)
  const { mode } = lstatSync(path, { throwIfNoEntry: false }) ?? { mode: 0o666 }
  // Not derived from the name of the file, which may already have the maximal length.
  const draft = join(dirname(path), `.${randomBytes(8).toString('hex')}.tmp`)
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: mode & 0o777 })
    if (options.force === true) renameSync(draft, path)
    else publish(draft, path)
  } catch (error) {
    throw toWriteError(path, error)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** @throws {WriteError} if {@link writeNewFile} would fail, as far as can be checked before. */
export function expectWritable(path: string, { force = false, tree = '.' }: WriteOptions = {}): void {
  if (path.trim() === '') throw new WriteError('The path of a file to write is blank')
  const refuse = (reason: string) => new WriteError(`${quote(path)} cannot be written: ${reason}`)
  try {
    const link = linkOnTheWay(resolve(tree), resolve(path))
    if (link !== undefined) throw refuse(`${quote(link)} is a link, and links are not followed`)
    statSync(dirname(path))
    const present = lstatSync(path, { throwIfNoEntry: false })
    if (present === undefined) return
    if (!force) throw new WriteError(`${quote(path)} exists; --force replaces it`)
    // A rename would put a file in the place of a device or a pipe that others are using.
    if (!present.isFile()) throw refuse('it is not a file, and --force replaces only files')
  } catch (error) {
    throw error instanceof WriteError ? error : toWriteError(path, error)
  }
}

/** The first link from a tree to a file in it. Outside of the tree, only the file itself may not be a link. */
function linkOnTheWay(tree: string, path: string): string | undefined {
  const inTree = relative(tree, path)
  const isOutside = isAbsolute(inTree) || inTree === '..' || inTree.startsWith(`..${sep}`)
  const names = inTree.split(sep)
  const places = isOutside ? [path] : names.map((_, index) => join(tree, ...names.slice(0, index + 1)))
  return places.find((place) => lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true)
}

/** Unlike a rename, a hard link never replaces a file. File systems without them get an exclusive copy. */
function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error
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
}

function toWriteError(path: string, error: unknown): WriteError {
  const code = errorCode(error) ?? String(error)
  if (code === 'EEXIST') return new WriteError(`${quote(path)} exists; --force replaces it`, { cause: error })
  const reason = reasons[code]
  return new WriteError(`${quote(path)} cannot be written${reason === undefined ? '' : `: ${reason}`} (${code})`, {
    cause: error,
  })
}
