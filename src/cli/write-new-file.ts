import { randomBytes } from 'node:crypto'
import { constants, copyFileSync, linkSync, lstatSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { getSystemErrorMap } from 'node:util'
import { errorCode } from '../lib/base/files.ts'
import { quote } from '../lib/base/printable.ts'
import { UsageError } from './command.ts'

/** `force` replaces an existing file, but never a device, a pipe or a folder. */
type WriteOptions = { readonly force?: boolean }

/**
 * Writes a file atomically. Neither the file nor a folder between the working directory and the file may be a link, because another user may
 * create links there. Without `force`, an existing file stays, even if another process has just created it.
 * @throws {UsageError} that names the file, and why it can't be written.
 */
export function writeNewFile(path: string, text: string | Uint8Array, options: WriteOptions = {}): void {
  expectWritable(path, options)
  const { mode } = lstatSync(path, { throwIfNoEntry: false }) ?? { mode: 0o666 }
  // A random name, because a suffix could make the file's name too long.
  const draft = join(dirname(path), `.${randomBytes(8).toString('hex')}.tmp`)
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: mode & 0o777 })
    if (options.force === true) renameSync(draft, path)
    else publish(draft, path)
  } catch (error) {
    throw explain(path, error)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Checks before a long operation what can be checked. @throws {UsageError} if {@link writeNewFile} would fail. */
export function expectWritable(path: string, { force = false }: WriteOptions = {}): void {
  if (path.trim() === '') throw new UsageError('Name the file to write: its path is blank')
  const refuse = (reason: string) => new UsageError(`${quote(path)} cannot be written: ${reason}`)
  try {
    const link = linkOnTheWay(resolve('.'), resolve(path))
    if (link !== undefined) throw refuse(`${quote(link)} is a link, and links are not followed`)
    statSync(dirname(path))
    const present = lstatSync(path, { throwIfNoEntry: false })
    if (present === undefined) return
    if (!force) throw new UsageError(`${quote(path)} exists; --force replaces it`)
    // A rename would replace a device or a pipe that other programs use.
    if (!present.isFile()) throw refuse('it is not a file, and --force replaces only files')
  } catch (error) {
    throw error instanceof UsageError ? error : explain(path, error)
  }
}

/** The first link on the path from a folder to a file. If the file is outside of the folder, only the file itself is checked. */
function linkOnTheWay(folder: string, path: string): string | undefined {
  const names = relative(folder, path).split(sep)
  const isOutside = isAbsolute(names.join(sep)) || names[0] === '..'
  const places = isOutside ? [path] : names.map((_, index) => join(folder, ...names.slice(0, index + 1)))
  return places.find((place) => lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true)
}

/** Unlike a rename, a hard link never replaces a file. On a file system without hard links, the file is copied. */
function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error
    copyFileSync(draft, path, constants.COPYFILE_EXCL)
  }
}

function explain(path: string, error: unknown): UsageError {
  const { errno = 0, code = String(error) } = error as NodeJS.ErrnoException
  const [, reason = 'unknown error'] = getSystemErrorMap().get(errno) ?? []
  return new UsageError(`${quote(path)} cannot be written: ${reason} (${code})`, { cause: error })
}
