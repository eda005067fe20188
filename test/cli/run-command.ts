import { runCommandLine } from '../../src/cli/command-line.ts'
import { exitOf } from '../../src/cli/command.ts'
import { createTerminal } from '../../src/cli/terminal.ts'
import type { Env } from '../../src/lib/base/env.ts'

export interface InProcess {
  readonly env?: Env
  /** Columns of a terminal. Without them, the streams go to a file. */
  readonly columns?: number
}

/** Runs one command line in this process, and keeps what it prints. */
export async function runCommand(args: readonly string[], { env = {}, columns }: InProcess = {}) {
  const printed = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof printed) => ({
    ...(columns === undefined ? {} : { isTTY: true, columns }),
    write: (text: string) => (printed[name] += text),
  })
  const terminal = createTerminal({ env, stdout: stream('stdout'), stderr: stream('stderr') })
  const code = await runCommandLine(args, terminal).catch((error: unknown) => {
    const exit = exitOf(error)
    terminal.note(exit.message)
    return exit.code
  })
  return { code, ...printed }
}
