import type { Finding } from '../../scan/finding.ts'
import type { Terminal } from '../terminal.ts'
import { summarize, type ScanReport } from './scan-report.ts'

/** One JSON document. It holds nothing of a line but the value. */
export function printJson(report: ScanReport, { print }: Terminal): void {
  const findings = report.findings.map(({ rule, level, path, line, column, value, cloud, service, fix }): Finding => ({
    rule,
    level,
    path,
    line,
    column,
    value,
    cloud,
    service,
    fix,
  }))
  const document = {
    findings,
    summary: { ...summarize(report), unreadable: report.unreadable, incomplete: report.incomplete },
  }
  print(`${JSON.stringify(document, undefined, 2)}\n`)
}
