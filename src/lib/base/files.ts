import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'

/** A path that isn't a regular file, or a file that is too large. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
  readonly kind: 'directory' | 'special' | 'too large'

  constructor(kind: FileProblem['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

/**
 * Reads a regular file of at most `mostBytes` bytes. Opening a pipe would wait forever, and opening a device can have an effect. The file is
 * checked again after opening, because the path may lead to another file by then. @throws {FileProblem} or Node's own error.
 */
export function readRegularFile(path: string, mostBytes: number): Buffer {
  refuseIrregular(statSync(path))
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const found = fstatSync(file)
    refuseIrregular(found)
    const tooLarge = () => new FileProblem('too large', `it is longer than ${mostBytes} bytes`)
    if (found.size > mostBytes) throw tooLarge()
    // A system file may report the size 0 and never end, and some of these files accept only long reads.
    const buffer = Buffer.alloc(found.size > 0 ? found.size + 4096 : mostBytes + 4096)
    let length = 0
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null)
    }
    if (length > mostBytes) throw tooLarge()
    return buffer.subarray(0, length)
  } finally {
    closeSync(file)
  }
}

function refuseIrregular(found: Stats): void {
  if (found.isFile()) return
  throw new FileProblem(found.isDirectory() ? 'directory' : 'special', 'it is not a regular file')
}

/** PowerShell 5 (`>`) and Notepad ("Unicode") write UTF-16. */
export const wideTextProblem = 'is not UTF-8 (it looks like UTF-16); save it as UTF-8'

/** Whether bytes look like UTF-16 or UTF-32: they begin with a byte order mark, or have a zero byte among the first four. */
export function isWideText(bytes: Uint8Array): boolean {
  const [first, second] = bytes
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return hasMark || bytes.subarray(0, 4).includes(0)
}

/** The `code` of an error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** An error and the errors that it wraps (AggregateError, `cause`), outermost first. */
export function causesOf(error: unknown, depth = 0): readonly Error[] {
  if (!(error instanceof Error) || depth > 5) return []
  const inner = error instanceof AggregateError ? (error.errors as unknown[]) : [error.cause]
  return [error, ...inner.flatMap((each) => causesOf(each, depth + 1))]
}

/** Error codes which mean that this process has no file, socket, port or memory left. */
const exhausted: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EAGAIN'])

/** The code of an error, or of an error that it wraps, if a limit of this process caused it. */
export function exhaustedResource(error: unknown): string | undefined {
  return causesOf(error)
    .map(errorCode)
    .find((code) => code !== undefined && exhausted.has(code))
}
