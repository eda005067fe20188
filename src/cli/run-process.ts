import type { WriteStream } from 'node:tty'
import { errorCode } from '../lib/base/files.ts'
import { exitOf, exitCodes } from './command.ts'
import { createTerminal, type Terminal } from './terminal.ts'

/** Milliseconds in which the process ends by itself after its command. */
const leftOpenMs = 2500

/** Runs a program, and sets the exit code. @param main Resolves with it, or with nothing if the program runs until it is stopped. */
export async function runProcess(main: (terminal: Terminal) => Promise<number | undefined>): Promise<void> {
  const stdout = guardStream(process.stdout)
  const stderr = guardStream(process.stderr)
  const terminal = createTerminal({ env: process.env, stdout, stderr })
  const code = await main(terminal).catch((error: unknown) => {
    const exit = exitOf(error)
    terminal.note(exit.message)
    return exit.code
  })
  // A server keeps running when nothing reads its output.
  if (code === undefined) return
  const lost = await stdout.delivered()
  const exit = lost === undefined ? code : exitCodes.fault
  process.exitCode = exit
  // Whatever the command has left open, such as a host lookup, the process ends.
  setTimeout(() => void import('./processes.ts').then(({ exitNow }) => exitNow(exit)), leftOpenMs).unref()
  if (lost !== undefined) terminal.note(`The results could not be written to stdout (${lost})`)
}

/** Whether the platform has replaced a stream's `write`, as iisnode does. The replacement never calls back, and the descriptor leads to NUL. */
export const isReplaced = (stream: object): boolean => Object.hasOwn(stream, 'write')

/** An output stream with errors that don't end the process. */
function guardStream(stream: WriteStream) {
  let lost: string | undefined
  stream.on('error', (error) => {
    const code = errorCode(error) ?? String(error)
    // A reader that stops, such as `head`, isn't an error. The second code is the failure of later writes to a broken pipe.
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_DESTROYED') lost ??= code
  })
  return {
    isTTY: stream.isTTY,
    columns: stream.columns,
    write: (text: string) => stream.write(text),
    /** Waits until all output is delivered. Resolves with the error code, such as `ENOSPC`, if output was lost. */
    async delivered() {
      if (!isReplaced(stream)) await new Promise<void>((resolve) => stream.write('', () => resolve()))
      return lost
    },
  }
}
