import { fstatSync, writeSync } from 'node:fs'
import type { WriteStream } from 'node:tty'
import { errorCode } from '../lib/base/error-code.ts'
import type { Output } from './progress.ts'

/** A stream of this process whose errors do not end the process. */
export interface GuardedOutput extends Output {
  /**
   * Waits until all output is delivered. Resolves with the error code if some of it was lost, such as `ENOSPC`. A reader that
   * stops, such as `head`, is not an error.
   */
  readonly delivered: () => Promise<string | undefined>
}

/** @param stream The stream of the descriptor, loaded only if it is needed: loading takes longer than many commands. */
export function guardOutput(descriptor: number, stream: () => WriteStream): GuardedOutput {
  return mayBeTerminal(descriptor) ? guardStream(stream()) : writeDirectly(descriptor, stream)
}

function mayBeTerminal(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor)
    // On Linux, the devices of major number 1 are /dev/null and its like.
    const isMemory = process.platform === 'linux' && stats.rdev >> 8 === 1
    return process.platform === 'win32' || (stats.isCharacterDevice() && !isMemory)
  } catch {
    return true
  }
}

/**
 * Whether a host has replaced what writes to a stream. iisnode gives a process descriptors of NUL, collects the output in that function, and
 * never calls back.
 */
export const isReplaced = (stream: object): boolean => Object.hasOwn(stream, 'write')

export function guardStream(stream: WriteStream): GuardedOutput {
  let lost: string | undefined
  stream.on('error', (error) => {
    lost ??= lostBy(error)
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

function writeDirectly(descriptor: number, stream: () => WriteStream): GuardedOutput {
  let fallback: { readonly stream: WriteStream; readonly guarded: GuardedOutput } | undefined
  let failed = false
  let lost: string | undefined
  return {
    isTTY: false,
    write(text) {
      if (failed) return
      let rest: Buffer = Buffer.from(text)
      while (rest.length > 0 && fallback === undefined) {
        try {
          rest = rest.subarray(writeSync(descriptor, rest))
        } catch (error) {
          // A full non-blocking pipe: Node's stream waits for it.
          if (codeOf(error) === 'EAGAIN') fallback = { stream: stream(), guarded: guardStream(stream()) }
          else {
            failed = true
            lost = lostBy(error)
            return
          }
        }
      }
      if (rest.length > 0) fallback?.stream.write(rest)
    },
    delivered: async () => lost ?? (await fallback?.guarded.delivered()),
  }
}

function codeOf(error: unknown): string {
  return errorCode(error) ?? String(error)
}

/** After a stream has failed, later writes fail with other codes. */
function lostBy(error: unknown): string | undefined {
  const code = codeOf(error)
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' ? undefined : code
}
