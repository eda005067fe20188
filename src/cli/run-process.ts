import type { WriteStream } from 'node:tty'
import { errorCode } from '../lib/base/files.ts'
import { judgeEnd, exitCodes } from './command.ts'
import { createTerminal, type Output, type Terminal } from './terminal.ts'

/**
 * Runs a program on the streams and variables of this process, and sets its exit code.
 *
 * @param main Resolves with nothing if the program runs until it is stopped.
 */
export async function runProcess(main: (terminal: Terminal) => Promise<number | undefined>): Promise<void> {
  const stdout = guardStream(process.stdout)
  const stderr = guardStream(process.stderr)
  const terminal = createTerminal({ env: process.env, stdout, stderr })
  const code = await main(terminal).catch((error: unknown) => {
    const end = judgeEnd(error)
    terminal.note(end.message)
    return end.code
  })
  // A reader that stops does not end a running program.
  if (code === undefined) return
  const lost = await stdout.delivered()
  process.exitCode = lost === undefined ? code : exitCodes.fault
  if (lost !== undefined) terminal.note(`The results could not be written to stdout (${lost})`)
}

/** An output stream. Its errors don't end the process. */
interface GuardedOutput extends Output {
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

function guardStream(stream: WriteStream): GuardedOutput {
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
