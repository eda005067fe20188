import type { WriteStream } from 'node:tty'
import { errorCode } from '../lib/base/files.ts'
import type { Output } from './progress.ts'

/** A stream of this process whose errors do not end the process. */
export interface GuardedOutput extends Output {
  /**
   * Waits until all output is delivered. Resolves with the error code if some of it was lost, such as `ENOSPC`. A reader that
   * stops, such as `head`, is not an error.
   */
  readonly delivered: () => Promise<string | undefined>
}

/**
 * Whether a host has replaced what writes to a stream. iisnode gives a process descriptors of NUL, collects the output in that function, and
 * never calls back.
 */
export const isReplaced = (stream: object): boolean => Object.hasOwn(stream, 'write')

export function guardStream(stream: WriteStream): GuardedOutput {
  let lost: string | undefined
  stream.on('error', (error) => {
    const code = errorCode(error) ?? String(error)
    // After a broken pipe, later writes fail with the second code.
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_DESTROYED') lost ??= code
  })
  return {
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns
    },
    write: (text) => stream.write(text),
    async delivered() {
      if (!isReplaced(stream)) await new Promise<void>((resolve) => stream.write('', () => resolve()))
      return lost
    },
  }
}
