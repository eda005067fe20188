import { runCommandLine } from '../../src/cli/command-line.ts'
import { createTerminal } from '../../src/cli/terminal.ts'
import type { Env } from '../../src/lib/base/env.ts'

export interface InProcess {
  readonly env?: Env
  /** Columns of a terminal; without them the streams are no terminal. */
  readonly columns?: number
}

export interface Printed {
  readonly code: number | undefined
  readonly stdout: string
  readonly stderr: string
}

/** Runs one command line in this process, and keeps what it prints. Rejects as the command does. */
export async function runInProcess(args: readonly string[], { env = {}, columns }: InProcess = {}): Promise<Printed> {
  const printed = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof printed) => ({
    ...(columns === undefined ? {} : { isTTY: true, columns }),
    write: (text: string) => {
      printed[name] += text
    },
  })
  const terminal = createTerminal({ env, stdout: stream('stdout'), stderr: stream('stderr') })
  const code = await runCommandLine(args, terminal)
  return { code, ...printed }
}
