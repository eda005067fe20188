import { formatTable as formatRows } from '../src/cli/terminal.ts'
import { figureOf, meetsTarget, type Row } from './row.ts'

const head = ['measure', 'median', 'against', 'its median', 'ratio', 'target', '', 'n']

/** The rows as people read them, with the notes below. */
export function formatTable(rows: readonly Row[]): string {
  const notes: string[] = []
  const lines = rows.map((row) => {
    const { measure, value, unit, reference, n, note } = row
    if (note !== undefined && !notes.includes(note)) notes.push(note)
    const mark = note === undefined ? '' : ` [${notes.indexOf(note) + 1}]`
    return [
      measure + mark,
      `${format(value)} ${unit}`,
      reference?.name ?? '',
      reference === undefined ? '' : `${format(reference.value)} ${unit}`,
      reference === undefined ? '' : figureOf(row).toFixed(2),
      formatTarget(row),
      { true: 'met', false: 'MISSED', undefined: '' }[`${meetsTarget(row)}`],
      String(n),
    ]
  })
  return [formatRows(head, lines, Infinity), ...notes.map((note, index) => `[${index + 1}] ${note}`), ''].join('\n')
}

function formatTarget({ target, reference, unit }: Row): string {
  if (target === undefined) return ''
  const suffix = reference === undefined ? ` ${unit}` : ''
  return 'atMost' in target ? `≤ ${target.atMost}${suffix}` : `≥ ${target.atLeast}${suffix}`
}

function format(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 100 ? 0 : 1)
}
