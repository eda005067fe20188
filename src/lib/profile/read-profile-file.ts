import { errorCode, FileProblem, isWideText, readRegularFile, wideTextProblem } from '../base/files.ts'
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
  const text = decode(path, readBytes(path))
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

function readBytes(path: string): Buffer {
  if (path.includes('\0')) throw unreadable(path, 'is not a path')
  try {
    return readRegularFile(path, maxBytes)
  } catch (error) {
    throw unreadable(path, error instanceof FileProblem ? problems[error.kind] : problemOf(path, errorCode(error)))
  }
}

const problems = {
  directory: 'is a directory; it must be a regular file',
  special: 'is a pipe or device; it must be a regular file',
  'too large': 'is larger than 1 MiB',
} as const satisfies Readonly<Record<FileProblem['kind'], string>>

function decode(path: string, bytes: Buffer): string {
  if (isWideText(bytes)) throw unreadable(path, wideTextProblem)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unreadable(path, 'is not UTF-8; save it as UTF-8')
  }
}

function problemOf(path: string, code = 'unknown error'): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      if (/^["']/.test(path)) return 'does not exist; remove the quotation marks'
      return path.startsWith('~') ? 'does not exist; ~ is not expanded, so write the whole path' : 'does not exist'
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
