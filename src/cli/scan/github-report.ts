import type { Terminal } from '../terminal.ts'
import { summarize, type ScanReport } from './scan-report.ts'

const commandOf = { error: 'error', warning: 'warning', note: 'notice' } as const

/** Commands of a workflow, which show as annotations beside the lines. */
export function printGithub(report: ScanReport, { print }: Terminal): void {
  for (const { level, path, line, column, value, rule, cloud, service, fix } of report.findings) {
    const properties = [
      `file=${property(path)}`,
      `line=${line}`,
      `col=${column}`,
      `endColumn=${column + value.length}`,
      `title=${property(rule)}`,
    ]
    print(
      `::${commandOf[level]} ${properties.join(',')}::${data(`${value} belongs to the cloud ${cloud} (${service}). ${fix}`)}\n`,
    )
  }
  const { errors, warnings, notes, files } = summarize(report)
  for (const { path, reason } of report.incomplete)
    print(`::notice::${data(`Not checked completely: ${path} (${reason})`)}\n`)
  for (const { path, reason } of report.unreadable) print(`::warning::${data(`Not read: ${path} (${reason})`)}\n`)
  print(`${errors} errors, ${warnings} warnings, ${notes} notes in ${files} files\n`)
}

/** The text after `::`, as the runner unescapes it. */
const data = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
