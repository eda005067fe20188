import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { errorCode } from '../base/error-code.ts'
import { isWideText, wideTextProblem } from '../base/wide-text.ts'
import { ServiceError } from '../errors.ts'

/** Bytes of a certificate or token file. */
const maxFileSize = 1024 * 1024

/**
 * Reads a file that a variable names: without waiting, because a pipe would block a thread forever, and up to a limit, because some system
 * files have no size and no end.
 *
 * @param variable The variable that names the file, for messages.
 * @throws {ServiceError} `CREDENTIAL_FILE_UNREADABLE`
 */
export async function readCredentialFile(path: string, variable: string): Promise<string> {
  const unreadable = (problem: string, cause?: unknown) => unusableFile(variable, problem, cause)
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
    const exists = errorCode(error) !== 'ENOENT'
    throw unreadable(exists ? 'may not be read by this process' : 'does not exist', error)
  })
  try {
    if (!(await file.stat()).isFile()) throw unreadable('is no regular file')
    const bytes = await readAtMost(file, maxFileSize + 1).catch((error: unknown) => {
      throw unreadable('may not be read by this process', error)
    })
    if (bytes.length > maxFileSize) throw unreadable('is larger than 1 MiB')
    if (isWideText(bytes)) throw unreadable(wideTextProblem)
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
    if (text.trim() === '') throw unreadable('is empty')
    return text
  } finally {
    await file.close()
  }
}

/** The error of a file that a variable names. */
export function unusableFile(variable: string, problem: string, cause?: unknown): ServiceError {
  const message = `The file that ${variable} names ${problem}`
  return new ServiceError('CREDENTIAL_FILE_UNREADABLE', message, { cause, evidence: { variable, problem } })
}

async function readAtMost(file: FileHandle, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let left = most
  while (left > 0) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(left, 64 * 1024)))
    if (bytesRead === 0) break
    chunks.push(buffer.subarray(0, bytesRead))
    left -= bytesRead
  }
  return Buffer.concat(chunks)
}
