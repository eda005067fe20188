import { runCommandLine } from '../../src/cli/command-line.ts'
import { exitOf } from '../../src/cli/command.ts'
import { createTerminal, type Terminal } from '../../src/cli/terminal.ts'
import type { Env } from '../../src/lib/base/env.ts'

export interface InProcess {
  readonly env?: Env
  /** Columns of a terminal. Without them, the streams go to a file. */
  readonly columns?: number
}

export type Printed = { readonly code: number | undefined } & Readonly<Record<'stdout' | 'stderr', string>>

/** Runs one command line in this process, and keeps what it prints. Rejects as the command does. */
export const runInProcess = (args: readonly string[], options?: InProcess): Promise<Printed> => runWith(args, options)

/** As {@link runInProcess}, but an error is a message on stderr and an exit code, as in a separate process. */
export const runCommand = (args: readonly string[], options?: InProcess): Promise<Printed> =>
  runWith(args, options, (error, terminal) => {
    const { code, message } = exitOf(error)
    terminal.note(message)
    return code
  })

async function runWith(
  args: readonly string[],
  { env = {}, columns }: InProcess = {},
  onError?: (error: unknown, terminal: Terminal) => number,
): Promise<Printed> {
  const printed = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof printed) => ({
    ...(columns === undefined ? {} : { isTTY: true, columns }),
    write: (text: string) => {
      printed[name] += text
    },
  })
  const terminal = createTerminal({ env, stdout: stream('stdout'), stderr: stream('stderr') })
  const code = await runCommandLine(args, terminal).catch((error: unknown) => {
    if (onError === undefined) throw error
    return onError(error, terminal)
  })
  return { code, ...printed }
}
