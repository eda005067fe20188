import { readVariable } from '../lib/base/env.ts'
import type { Env } from '../lib/base/env.ts'
import { styleText } from 'node:util'
import { escapeHidden, printable } from '../lib/base/printable.ts'
import type { Warning } from '../lib/errors.ts'
import columnsOf from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'

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
  /** Columns of stdout; `Infinity` if it isn't a terminal. */
  readonly width: number
  /** Columns of stderr. */
  readonly stderrWidth: number
  /** Whether results may have colors. Honors NO_COLOR. */
  readonly colors: boolean
  /** Whether results and progress share a screen. */
  readonly sharesScreen: boolean
  readonly progress: Progress
  /** Writes a part of the result. */
  readonly print: (text: string | Raw) => void
  /** Writes a line to stderr, wrapped to its width. */
  readonly note: (text: string) => void
}

/**
 * A text that is written unchanged, because it has colors or the escapes of its format. In any other text, control characters and
 * commands to a pipeline (`##vso[`, `::name`) are escaped.
 */
export class Raw {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Not by `instanceof`: a packaged command is a bundle with another copy of {@link Raw}. */
const escaped = (text: string | Raw): string =>
  typeof text === 'string' ? text.split('\n').map(escapeHidden).join('\n') : text.text

/** Columns of a help text in a pager, a file or a bug report. */
const usualWidth = 80

/** Columns of a text for people, also where stdout isn't a terminal. */
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
    colors: stdout.isTTY === true && readVariable(env, 'NO_COLOR') === undefined,
    sharesScreen: stdout.isTTY === true && stderr.isTTY === true,
    progress,
    print: (text) => void stdout.write(escaped(text)),
    note: (text) => progress.say(wrap(escaped(text), stderrWidth)),
  }
}

/** COLUMNS if it is set, as is usual on Unix, else the width of the terminal. */
function widthOf({ isTTY, columns }: Output, env: Env): number {
  const given = Number(readVariable(env, 'COLUMNS'))
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
      stream.write(eraseLine + elide(escaped(text), (stream.columns ?? 80) - 1))
      shown = true
    },
    clear,
    say(text) {
      clear()
      stream.write(`${escaped(text)}\n`)
    },
  }
}

export type Color = 'green' | 'yellow' | 'red' | 'gray' | 'bold'

export function paint(text: string, color: Color, colors: boolean): string {
  return colors ? styleText(color, text, { validateStream: false }) : text
}

/** Wraps lines at words, and longer words within them. Each line keeps its indent. */
export function wrap(text: string, width: number): string {
  if (!Number.isFinite(width)) return text
  return text
    .split('\n')
    .map((line) => {
      if (columnsOf(line) <= width) return line
      const indent = /^ */.exec(line)?.[0].slice(0, Math.floor(width / 2)) ?? ''
      const wrapped = wrapAnsi(line.trimStart(), width - indent.length, { hard: true })
      return wrapped.replace(/^/gm, indent)
    })
    .join('\n')
}

/** Rows of a name and a text. The text's further lines are indented like its first line. */
export function formatRows(
  rows: readonly (readonly [name: string, text: string])[],
  width: number,
  longestName = Math.max(...rows.map(([name]) => name.length)),
): string {
  const column = longestName + 4
  const indent = `\n${' '.repeat(column)}`
  // On a narrow screen, the text continues below its name: a column of a few characters is hard to read.
  const hangs = Number.isFinite(width) && width >= 2 * column
  return rows
    .map(([name, text]) => {
      const line = `  ${name.padEnd(column - 2)}`
      return hangs ? `${line}${wrap(text, width - column).replaceAll('\n', indent)}\n` : `${wrap(line + text, width)}\n`
    })
    .join('')
}

/** Cuts a text to a width. */
export function elide(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text
}

/** The least columns of a cell with text, and the width from which a table is never stacked. */
const [leastCell, tableWidth] = [24, 100]

/**
 * A table with one line per row. If it is wider than the screen, its last column wraps, and from 100 columns on its wider columns too. On a
 * narrower screen without room for the last column, each row becomes a paragraph with one line per cell. A row of a name and one value stays
 * a line.
 */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number = Infinity,
): string {
  const natural = head.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map((cell) => columnsOf(cell))),
  )
  const widths = fitColumns(natural, width - 2 * (head.length - 1))
  if (widths === undefined) {
    const paragraphs = rows.map((row) => formatParagraph(head, row))
    const isLine = (text = '\n') => text.indexOf('\n') === text.length - 1
    return paragraphs
      .map((each, index) => (isLine(each) && isLine(paragraphs[index - 1]) ? '' : '\n') + wrap(each, width))
      .join('')
      .replace(/^\n/, '')
  }
  return [head, ...rows].map((row) => formatRow(row, widths)).join('')
}

/** The width of each column, with `room` columns for all. `undefined` if a table would be hard to read. */
function fitColumns(natural: readonly number[], room: number): readonly number[] | undefined {
  const widths = [...natural]
  const excess = () => widths.reduce((sum, each) => sum + each, 0) - room
  const last = widths.length - 1
  const shrink = (column: number) => {
    const width = widths[column] ?? 0
    widths[column] = Math.max(Math.min(width, leastCell), width - Math.max(0, excess()))
  }
  if (excess() > 0) shrink(last)
  if (excess() > 0 && room + 2 * last < tableWidth) return undefined
  for (let tries = 0; excess() > 0 && tries < widths.length; tries++) shrink(widths.indexOf(Math.max(...widths)))
  return excess() > 0 ? undefined : widths
}

/** One row, whose longer cells have several lines. */
function formatRow(row: readonly string[], widths: readonly number[]): string {
  const cells = widths.map((width, column) => wrap(row[column] ?? '', width).split('\n'))
  return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, line) => {
    const texts = cells.map((lines, column) => {
      const text = lines[line] ?? ''
      return text + ' '.repeat(Math.max(0, (widths[column] ?? 0) - columnsOf(text)))
    })
    return `${texts.join('  ').trimEnd()}\n`
  }).join('')
}

function formatParagraph(head: readonly string[], row: readonly string[]): string {
  const named = head.findIndex((title) => title !== '')
  const title = row.slice(0, named + 1).filter((cell) => cell !== '')
  const rest = row
    .slice(named + 1)
    .flatMap((cell, index) => (cell === '' ? [] : [`  ${head[named + 1 + index]}: ${cell}\n`]))
  const isPair = rest.length === 1 && row[named + 1] !== ''
  return isPair ? `${title.join('  ')}: ${row[named + 1]}\n` : `${title.join('  ')}\n${rest.join('')}`
}

/** A warning, and the commands that resolve it as lines to paste. */
export function warningText({ message, commands = [] }: Pick<Warning, 'message' | 'commands'>): string {
  return [`${printable(message)}${commands.length === 0 ? '' : ':'}`, ...commands.map((line) => printable(line))].join(
    '\n',
  )
}
