import type { Env } from '../lib/base/env.ts'
import { elide, wrap } from './text.ts'

/** A stream to write to, which may be a terminal. */
export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** One live line on a terminal, and no output elsewhere. */
export interface Progress {
  show(text: string): void
  clear(): void
  /** Writes a permanent line, on a terminal or not. */
  say(text: string): void
}

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

const eraseLine = '\r\u001B[2K'

function createProgress(stream: Output): Progress {
  let shown = false
  const clear = () => {
    if (shown) stream.write(eraseLine)
    shown = false
  }
  return {
    show(text) {
      if (stream.isTTY !== true) return
      stream.write(eraseLine + elide(text, (stream.columns ?? 80) - 1))
      shown = true
    },
    clear,
    say(text) {
      clear()
      stream.write(`${text}\n`)
    },
  }
}
