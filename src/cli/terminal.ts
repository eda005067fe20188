import type { Env } from '../lib/base/env.ts'
import { createProgress, type Output, type Progress } from './progress.ts'
import { wrap } from './text.ts'

/** The environment of a command: variables, results on stdout, everything else on stderr. */
export interface Terminal {
  readonly env: Env
  /** Columns for results; `Infinity` if stdout is not a terminal. */
  readonly width: number
  /** The same for stderr. */
  readonly stderrWidth: number
  /** Whether results may have colors. Honors NO_COLOR. */
  readonly colors: boolean
  /** Whether results and progress share a screen. */
  readonly sharesScreen: boolean
  readonly progress: Progress
  /** Writes a part of the result unchanged. */
  readonly print: (text: string) => void
  /** Writes a line to stderr, wrapped to its width. */
  readonly note: (text: string) => void
}

/** Columns of a text for people that goes to no terminal, such as a help in a pager or a bug report. */
const usualWidth = 80

/** Columns for a text for people. */
export const readableWidth = ({ width }: Pick<Terminal, 'width'>): number =>
  Number.isFinite(width) ? width : usualWidth

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

/** COLUMNS if it is set, as is usual on Unix, else the width of the terminal. */
function widthOf({ isTTY, columns }: Output, env: Env): number {
  const given = Number(env['COLUMNS'])
  if (Number.isInteger(given) && given > 0) return given
  return isTTY === true && columns !== undefined && columns > 0 ? columns : Infinity
}
