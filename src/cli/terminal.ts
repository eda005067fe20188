import { createProgress, type Output, type Progress } from './progress.ts'
import { wrap } from './text.ts'

/** An environment of variables. */
export type Env = Readonly<Record<string, string | undefined>>

/** What a command knows of the world: the variables, results on stdout, everything else on stderr. */
export interface Terminal {
  readonly env: Env
  /** Columns that results must fit; without a limit where nobody looks, such as in a file. */
  readonly width: number
  /** The same for what accompanies them. */
  readonly stderrWidth: number
  /** Whether results may have colours. Honours NO_COLOR. */
  readonly colors: boolean
  /** Whether results and progress share a screen. */
  readonly sharesScreen: boolean
  readonly progress: Progress
  /** Writes a part of the result as it is. */
  readonly print: (text: string) => void
  /** Writes a line that accompanies the result, wrapped to its terminal. */
  readonly note: (text: string) => void
}

export interface TerminalParts {
  readonly env: Env
  readonly stdout: Output
  readonly stderr: Output
}

export function createTerminal({ env, stdout, stderr }: TerminalParts): Terminal {
  const stderrWidth = widthOf(stderr, env)
  const progress = createProgress(stderr)
  return {
    env,
    width: widthOf(stdout, env),
    stderrWidth,
    colors: stdout.isTTY === true && !env['NO_COLOR'],
    sharesScreen: stdout.isTTY === true && stderr.isTTY === true,
    progress,
    print: (text) => void stdout.write(text),
    note: (text) => progress.say(wrap(text, stderrWidth)),
  }
}

/** COLUMNS when it is set, as everywhere on Unix; else what the terminal says. */
function widthOf({ isTTY, columns }: Output, env: Env): number {
  const given = Number(env['COLUMNS'])
  if (Number.isInteger(given) && given > 0) return given
  return isTTY === true && columns !== undefined && columns > 0 ? columns : Infinity
}
