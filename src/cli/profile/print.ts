import { styleText } from 'node:util'
import Table from 'cli-table3'

/** Whether text on this stream may have colours. Honours NO_COLOR. */
export function hasColors(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true && !process.env['NO_COLOR']
}

export type Color = 'green' | 'yellow' | 'red' | 'gray'

export function paint(text: string, color: Color, colors: boolean): string {
  return colors ? styleText(color, text, { validateStream: false }) : text
}

/** A text of a file or a cloud as a terminal may show it: on one line, without control sequences. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu, ' ').trim()
}

/** A plain table, one line a row. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' }
  const frame = { top: '', 'top-mid': '', 'top-left': '', 'top-right': '', left: '', right: '', middle: '  ' }
  const base = { bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' }
  const table = new Table({
    head: [...head],
    chars: { ...line, ...frame, ...base },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  })
  table.push(...rows.map((row) => [...row]))
  return `${table.toString().replace(/ +$/gm, '')}\n`
}

/** For what accompanies a result. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`)
}
