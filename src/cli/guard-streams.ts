import type { Writable } from 'node:stream'

/**
 * Keeps the process alive whatever becomes of those who listen to it. A reader that has seen enough, such as `head`, is
 * no fault: the command runs to its end and keeps its own exit code. Whoever reads stderr may go or be full at any time.
 *
 * @returns Waits until everything written to stdout has been taken. Resolves with the error code when some of it could
 *   not be delivered, such as `ENOSPC`.
 */
export function guardStreams(stdout: Writable, stderr: Writable): () => Promise<string | undefined> {
  let lost: string | undefined
  const note = (error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    // Once a stream has failed, what is written after it fails with other codes.
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_DESTROYED') lost ??= code
  }
  stdout.on('error', note)
  stderr.on('error', () => undefined)
  return async () => {
    await new Promise<void>((resolve) => stdout.write('', () => resolve()))
    return lost
  }
}
