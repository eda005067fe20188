import { pathToFileURL } from 'node:url'
import type { Log, ReportingDescriptor, Result, Notification } from 'sarif'
import { VERSION } from '../../lib/settings/version.ts'
import { fingerprintsOf } from '../../scan/baseline.ts'
import { ruleIds } from '../../scan/finding.ts'
import { rules } from '../../scan/rules.ts'
import type { Terminal } from '../terminal.ts'
import type { ScanReport } from './scan-report.ts'

const notification = (level: 'warning' | 'note', text: string): Notification => ({ level, message: { text } })

/** SARIF 2.1.0, for code review tools. Fingerprints stay when a line moves. */
export function printSarif({ root, findings, unreadable, incomplete }: ScanReport, { print }: Terminal): void {
  const fingerprints = fingerprintsOf(findings)
  const results = findings.map(({ rule, level, path, line, column, value, fix, cloud, service }, index): Result => ({
    ruleId: rule,
    ruleIndex: ruleIds.indexOf(rule),
    level,
    message: { text: `${value} belongs to the cloud ${cloud} (${service}). ${fix}.` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: 'ROOT' },
          region: { startLine: line, startColumn: column, endColumn: column + value.length },
        },
      },
    ],
    partialFingerprints: { 'cloudProfileFinding/v1': fingerprints[index] ?? '' },
  }))
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'cloud-profile', version: VERSION, rules: ruleIds.map(describe) } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { ROOT: { uri: `${pathToFileURL(root).href.replace(/\/$/, '')}/` } },
        invocations: [
          {
            executionSuccessful: unreadable.length === 0,
            toolExecutionNotifications: [
              ...unreadable.map(({ path, reason }) => notification('warning', `Not read: ${path} (${reason})`)),
              ...incomplete.map(({ path, reason }) =>
                notification('note', `Not checked completely: ${path} (${reason})`),
              ),
            ],
          },
        ],
        results,
      },
    ],
  }
  print(`${JSON.stringify(log, undefined, 2)}\n`)
}

function describe(id: (typeof ruleIds)[number]): ReportingDescriptor {
  const { title, about, level } = rules[id]
  return {
    id,
    name: title,
    shortDescription: { text: title },
    fullDescription: { text: about },
    help: { text: about, markdown: `${about} See docs/scan.md of cloud-profile-service.` },
    defaultConfiguration: { level },
  }
}
