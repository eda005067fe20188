import type { Level, ShownFinding, Unchecked } from '../../scan/finding.ts'
import { readableWidth, type Terminal } from '../terminal.ts'
import { printable } from '../../lib/base/printable.ts'
import { paint, wrap, type Color } from '../text.ts'
import { summarize, type ScanReport } from './scan-report.ts'

const colorOf: Readonly<Record<Level, Color>> = { error: 'red', warning: 'yellow', note: 'gray' }

/** Grouped by file: each finding with its line, a mark under the value, and what to write instead. */
export function printText(report: ScanReport, terminal: Terminal): void {
  const { print, colors } = terminal
  const columns = readableWidth(terminal)
  let path: string | undefined
  const listed = report.findings.filter(({ level }) => level !== 'note' || report.listsNotes)
  for (const finding of listed) {
    if (finding.path !== path)
      print(`${path === undefined ? '' : '\n'}${paint(printable(finding.path), 'bold', colors)}\n`)
    path = finding.path
    print(formatFinding(finding, columns, colors))
  }
  print(`${listed.length === 0 ? '' : '\n'}${wrap(formatSummary(report), columns)}`)
}

function formatFinding(
  { line, column, level, rule, cloud, service, fix, excerpt }: ShownFinding,
  columns: number,
  colors: boolean,
): string {
  const place = `  ${line}:${column}`
  const { text, mark } = frame(excerpt, columns - 4)
  const whose = `${level} ${rule}: ${service}, ${cloud}`
  return [
    `${place}  ${paint(level, colorOf[level], colors)}${whose.slice(level.length)}`,
    `    ${text}`,
    `    ${paint(mark, colorOf[level], colors)}`,
    wrap(`    ${fix}`, columns),
    '',
  ].join('\n')
}

/** As much of the line as fits, with the value in view. */
function frame(
  { text, from, length }: ShownFinding['excerpt'],
  columns: number,
): { readonly text: string; readonly mark: string } {
  const shown = Math.min(length, columns)
  const start = Math.max(0, Math.min(from, from + shown - columns + Math.min(12, columns - shown)))
  const view = text.slice(start, start + columns)
  const begin = start > 0 ? `…${view.slice(1)}` : view
  const whole = start + columns < text.length ? `${begin.slice(0, -1)}…` : begin
  return {
    text: whole.trimEnd(),
    mark: `${' '.repeat(from - start)}${'^'.repeat(Math.max(1, Math.min(shown, columns - (from - start))))}`,
  }
}

function formatSummary(report: ScanReport): string {
  const summary = summarize(report)
  const { files, bytes, errors, warnings, notes, vendored, generated, binary, ignored, known, seconds } = summary
  const lines = [
    `${count(errors, 'error')}, ${count(warnings, 'warning')}, ${count(notes, 'note')} in ${count(files, 'file')} (${(bytes / 1e6).toFixed(1)} MB, ${seconds.toFixed(1)} s)`,
    ...(notes > 0 && !report.listsNotes ? ['--fail-on note lists the notes'] : []),
    ...list('By rule', summary.byRule),
    ...list('By service', summary.byService),
    ...list('Not reported', {
      known,
      ignored,
      'vendored files': vendored,
      'generated files': generated,
      'binary files': binary,
    }),
    ...formatIncomplete(report.incomplete),
    ...report.unreadable.map(({ path, reason }) => `Not read: ${printable(path)} (${reason})`),
  ]
  return `${lines.join('\n')}\n`
}

const mostIncomplete = 10

/** A tree of bundled scripts may have hundreds: the JSON format lists all. */
function formatIncomplete(incomplete: readonly Unchecked[]): readonly string[] {
  const more = incomplete.length - mostIncomplete
  return [
    ...incomplete
      .slice(0, mostIncomplete)
      .map(({ path, reason }) => `Not checked completely: ${printable(path)} (${reason})`),
    ...(more > 0 ? [`Not checked completely: ${count(more, 'more file')}`] : []),
  ]
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

function list(title: string, counts: Readonly<Record<string, number>>): readonly string[] {
  const rows = Object.entries(counts).filter(([, number]) => number > 0)
  return rows.length === 0 ? [] : [`${title}: ${rows.map(([name, number]) => `${name} ${number}`).join(', ')}`]
}
