import { judgeEnd, exitCodes } from './exit.ts'
import { guardStream } from './guarded-output.ts'
import { createTerminal, type Terminal } from './terminal.ts'

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
