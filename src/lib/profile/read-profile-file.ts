import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs'
import { errorCode } from '../base/error-code.ts'
import { isWideText, wideTextProblem } from '../base/wide-text.ts'
import { ServiceError } from '../errors.ts'
import { repeatedNames } from '../base/json.ts'
import { quote } from '../base/printable.ts'

const maxBytes = 1024 * 1024

/**
 * Reads one JSON file of at most 1 MiB of UTF-8, with or without a byte order mark. Never waits: a pipe, a device or
 * a directory is refused.
 *
 * @throws {ServiceError} `PROFILE_UNREADABLE` that names the path and says what to do, without any of the content.
 */
export function readProfileFile(path: string): unknown {
  const text = decode(path, readRegularFile(path))
  if (text.trim() === '') throw unreadable(path, 'is empty; it must hold one JSON object')
  const document = parse(path, text)
  // The reviewer of the file may have seen only the other value.
  const [repeated] = repeatedNames(text).keys()
  if (repeated !== undefined) throw unreadable(path, `holds the name ${quote(repeated.slice(0, 64))} twice; remove one`)
  return document
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // V8's message quotes the content, so only the position is passed on.
    const [place = ''] = / \(line \d+ column \d+\)/.exec(String(error)) ?? []
    throw unreadable(path, `is not valid JSON${place}; JSON has no comments and no comma before a closing bracket`)
  }
}

function readRegularFile(path: string): Buffer {
  if (path.includes('\0')) throw unreadable(path, 'is not a path')
  let file: number | undefined
  try {
    // Checked before it is opened, because opening a device can have effects, and after, because the file may have been replaced.
    refuseOthers(path, statSync(path))
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const found = fstatSync(file)
    refuseOthers(path, found)
    const { size } = found
    if (size > maxBytes) throw unreadable(path, `is larger than 1 MiB (${size} bytes)`)
    return readAtMost(file, maxBytes + 4096)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw unreadable(path, toFileError(error))
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function refuseOthers(path: string, found: Stats): void {
  if (found.isFile()) return
  const what = found.isDirectory() ? 'a directory' : 'a pipe or device'
  throw unreadable(path, `is ${what}; it must be a regular file`)
}

/** Files of `/proc` have size 0, some never end, and some accept only reads of whole words. */
function readAtMost(file: number, most: number): Buffer {
  const buffer = Buffer.alloc(most)
  let length = 0
  let read = -1
  while (read !== 0 && length < most) {
    read = readSync(file, buffer, length, most - length, null)
    length += read
  }
  return buffer.subarray(0, length)
}

function decode(path: string, bytes: Buffer): string {
  if (bytes.length > maxBytes) throw unreadable(path, 'is larger than 1 MiB')
  if (isWideText(bytes)) throw unreadable(path, wideTextProblem)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unreadable(path, 'is not UTF-8; save it as UTF-8')
  }
}

function toFileError(error: unknown): string {
  const code = errorCode(error) ?? 'unknown error'
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist'
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by this process; check its permissions'
    case 'ELOOP':
      return 'is a symbolic link that leads to itself'
    default:
      return `cannot be read (${code})`
  }
}

function unreadable(path: string, problem: string): ServiceError {
  const shown = quote(path.length > 300 ? `${path.slice(0, 300)}…` : path)
  return new ServiceError(
    'PROFILE_UNREADABLE',
    `Custom profile file ${shown} ${problem}. Check CUSTOM_CLOUD_PROFILE_PATH or the path given`,
  )
}
