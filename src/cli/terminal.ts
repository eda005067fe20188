import { styleText } from 'node:util'
import { readVariable, type Env } from '../lib/base/env.ts'
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

/** The environment of a command: variables, results on stdout, everything else on stderr. */
export interface Terminal {
  readonly env: Env
  /** Columns of stdout; `Infinity` if it isn't a terminal. */
  readonly width: number
  readonly stderrWidth: number
  /** Whether results may have colors. Honors NO_COLOR. */
  readonly colors: boolean
  /** Shows a live line on a terminal until something else is written. Elsewhere it writes nothing. */
  readonly show: (text: string) => void
  /** Writes a part of the result. Escapes control characters and commands to a pipeline (`##vso[`, `::name`). */
  readonly print: (text: string) => void
  /** Writes a result unchanged, because it has colors or the escapes of its format. */
  readonly printRaw: (text: string) => void
  /** Writes a line to stderr, wrapped to its width. */
  readonly note: (text: string) => void
}

const escaped = (text: string): string => text.split('\n').map(escapeHidden).join('\n')

/** Columns of a text for people, also in a pager, a file or a bug report. */
export const readableWidth = (width: number): number => (Number.isFinite(width) ? width : 80)

const eraseLine = '\r\u001B[2K'

type Streams = Pick<Terminal, 'env'> & Readonly<Record<'stdout' | 'stderr', Output>>

export function createTerminal({ env, stdout, stderr }: Streams): Terminal {
  const stderrWidth = widthOf(stderr, env)
  let isShown = false
  const clear = () => {
    if (isShown) stderr.write(eraseLine)
    isShown = false
  }
  const printRaw = (text: string) => {
    clear()
    stdout.write(text)
  }
  return {
    env,
    width: widthOf(stdout, env),
    stderrWidth,
    colors: stdout.isTTY === true && readVariable(env, 'NO_COLOR') === undefined,
    show(text) {
      if (stderr.isTTY !== true) return
      stderr.write(eraseLine + elide(escaped(text), (stderr.columns ?? 80) - 1))
      isShown = true
    },
    print: (text) => printRaw(escaped(text)),
    printRaw,
    note(text) {
      clear()
      stderr.write(`${wrap(escaped(text), stderrWidth)}\n`)
    },
  }
}

/** COLUMNS if it is set, as is usual on Unix, else the width of the terminal. */
function widthOf({ isTTY, columns }: Output, env: Env): number {
  const given = Number(readVariable(env, 'COLUMNS'))
  if (Number.isInteger(given) && given > 0) return given
  return isTTY === true && columns !== undefined && columns > 0 ? columns : Infinity
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
 * A table with one line per row, and a cell for each title. If it is wider than the screen, its last column wraps, and from 100 columns on its
 * wider columns too. On a narrower screen without room for the last column, each row becomes a paragraph, unless it has one value only.
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
    .slice(named + 1, head.length)
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
