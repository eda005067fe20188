import { styleText } from 'node:util'
import widthOf from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'

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
      if (widthOf(line) <= width) return line
      const indent = /^ */.exec(line)?.[0].slice(0, Math.floor(width / 2)) ?? ''
      const wrapped = wrapAnsi(line.trimStart(), width - indent.length, { hard: true })
      return wrapped.replace(/^/gm, indent)
    })
    .join('\n')
}

/** Rows of a name and a text, in a width: the lines of the text stand below its first one. */
export function formatRows(rows: readonly (readonly [name: string, text: string])[], width: number): string {
  const column = Math.max(...rows.map(([name]) => name.length)) + 4
  const indent = `\n${' '.repeat(column)}`
  // On a narrow screen a text of less width than its name is harder to read than one below it.
  const hangs = Number.isFinite(width) && width >= 2 * column
  return rows
    .map(([name, text]) => {
      const line = `  ${name.padEnd(column - 2)}`
      return hangs ? `${line}${wrap(text, width - column).replaceAll('\n', indent)}\n` : `${wrap(line + text, width)}\n`
    })
    .join('')
}

/** The beginning of a text that is longer than the width. */
export function elide(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text
}

/** Pads with spaces to a width on the screen. */
function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** A table with one line per row. If it is wider than the screen, each row becomes a paragraph with one line per cell. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number = Infinity,
): string {
  const widths = head.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map((cell) => widthOf(cell))),
  )
  const total = widths.reduce((sum, each) => sum + each, 2 * (widths.length - 1))
  if (total > width) return rows.map((row) => wrap(formatParagraph(head, row), width)).join('\n')
  return [head, ...rows]
    .map(
      (row) =>
        `${row
          .map((cell, column) => pad(cell, widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

function formatParagraph(head: readonly string[], row: readonly string[]): string {
  const named = head.findIndex((title) => title !== '')
  const title = row.slice(0, named + 1).filter((cell) => cell !== '')
  const rest = row
    .slice(named + 1)
    .flatMap((cell, index) => (cell === '' ? [] : [`  ${head[named + 1 + index]}: ${cell}\n`]))
  return `${title.join('  ')}\n${rest.join('')}`
}
