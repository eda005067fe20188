import { pathToFileURL } from 'node:url'
import { VERSION } from './version.ts'
import { fingerprintsOf, type BaselineEntry } from './baseline.ts'
import { forGithub, forGithubProperty, forJson, forTerminal } from './destinations.ts'
import { groupBy, ruleIds, rules, type Edit, type Finding, type Level, type ScanCounts } from './finding.ts'
import type { ScanResult } from './scan-tree.ts'

/** Everything that a report says. */
export interface ScanReport extends ScanResult {
  /** How many findings a baseline knows, and its entries that nothing is found for. */
  readonly known: number
  readonly stale: readonly BaselineEntry[]
  readonly seconds: number
  /** Whether notes are listed, and go to code review. */
  readonly hasNotes: boolean
  /** Whether every finding is listed, however many there are. */
  readonly isDetailed: boolean
  readonly columns: number
  readonly hasColors: boolean
}

interface Summary extends ScanCounts {
  readonly findings: number
  readonly errors: number
  readonly warnings: number
  readonly notes: number
  readonly known: number
  readonly byRule: Readonly<Record<string, number>>
  readonly byService: Readonly<Record<string, number>>
  readonly byFolder: Readonly<Record<string, number>>
  readonly seconds: number
}

function summarize({ findings, counts, known, seconds }: ScanReport): Summary {
  const ofLevel = (level: Level) => findings.filter((finding) => finding.level === level).length
  return {
    ...counts,
    findings: findings.length,
    errors: ofLevel('error'),
    warnings: ofLevel('warning'),
    notes: ofLevel('note'),
    known,
    byRule: countBy(findings.map(({ rule }) => rule)),
    byService: countBy(findings.map(({ service }) => service)),
    byFolder: countBy(
      findings
        .filter(({ level }) => level !== 'note')
        .map(({ path }) => path.split('/').slice(0, -1).slice(0, 2).join('/') || '.'),
    ),
    seconds: Math.round(seconds * 1000) / 1000,
  }
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const sentenceOf = ({ rule, value, cloud, service, fix }: Finding) =>
  rule === 'ENUMERATED_CLOUDS' || rule === 'PUBLIC_CLOUD_BY_DEFAULT'
    ? `${value}: ${rules[rule].title.toLowerCase()} (${service}). ${fix.text}`
    : `${value} belongs to the cloud ${cloud} (${service}). ${fix.text}`

/** The line of a finding with its change: nothing else of the line is shown. */
function linesOfEdit({
  excerpt,
  value,
  fix: { edit },
}: Finding): { readonly before: string; readonly after: string } | undefined {
  if (edit === undefined || edit.newText.split('\n').length > 2 || edit.oldText.includes('\n')) return undefined
  const [head, tail] = [excerpt.text.slice(0, excerpt.from), excerpt.text.slice(excerpt.from + excerpt.length)]
  if (edit.oldText === '') return { before: `${head}${value}${tail}`.trim(), after: `… ${edit.newText.trim()} …` }
  return { before: edit.oldText, after: edit.newText }
}

/** One JSON document. It holds nothing of a line but the value and the change. */
export function formatJson(report: ScanReport): string {
  const findings = report.findings.map((finding) => {
    const { rule, level, path, line, column, value, cloud, service, fix } = finding
    return {
      rule,
      level,
      path,
      line,
      column,
      value,
      cloud,
      service,
      fix: fix.text,
      ...(fix.edit && { edit: fix.edit }),
    }
  })
  return forJson({
    findings,
    summary: {
      ...summarize(report),
      unreadable: report.unreadable,
      incomplete: report.incomplete,
      stale: report.stale,
    },
  })
}

/** SARIF 2.1.0, for code review tools. Fingerprints stay when a line moves. */
export function formatSarif({ root, findings: all, unreadable, incomplete, hasNotes }: ScanReport): string {
  const findings = hasNotes ? all : all.filter(({ level }) => level !== 'note')
  const fingerprints = fingerprintsOf(findings)
  const notification = (level: 'warning' | 'note', text: string) => ({ level, message: { text } })
  const results = findings.map((finding, index) => {
    const { rule, level, path, line, column, value, fix } = finding
    const artifactLocation = { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: 'ROOT' }
    return {
      ruleId: rule,
      ruleIndex: ruleIds.indexOf(rule),
      level,
      message: { text: `${sentenceOf(finding)}.` },
      locations: [
        {
          physicalLocation: {
            artifactLocation,
            region: { startLine: line, startColumn: column, endColumn: column + value.length },
          },
        },
      ],
      partialFingerprints: { 'cloudProfileFinding/v1': fingerprints[index] ?? '' },
      ...(fix.edit && { fixes: [sarifFix(fix.text, fix.edit, artifactLocation)] }),
    }
  })
  const driver = {
    name: 'cloud-profile-scan',
    version: VERSION,
    rules: ruleIds.map((id) => ({
      id,
      name: rules[id].title,
      shortDescription: { text: rules[id].title },
      fullDescription: { text: rules[id].about },
      help: { text: rules[id].about, markdown: `${rules[id].about} See docs/scan.md of cloud-profile-service.` },
      defaultConfiguration: { level: 'error' as const },
    })),
  }
  const toolExecutionNotifications = [
    ...unreadable.map(({ path, reason }) => notification('warning', `Not read: ${path} (${reason})`)),
    ...incomplete.map(({ path, reason }) => notification('note', `Not checked completely: ${path} (${reason})`)),
  ]
  return forJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { ROOT: { uri: `${pathToFileURL(root).href.replace(/\/$/, '')}/` } },
        invocations: [{ executionSuccessful: unreadable.length === 0, toolExecutionNotifications }],
        results,
      },
    ],
  })
}

const sarifFix = (text: string, { start, end, newText }: Edit, artifactLocation: object) => ({
  description: { text },
  artifactChanges: [
    {
      artifactLocation,
      replacements: [
        { deletedRegion: { byteOffset: start, byteLength: end - start }, insertedContent: { text: newText } },
      ],
    },
  ],
})

const commandOf = { error: 'error', warning: 'warning', note: 'notice' } as const

/** Commands of a workflow, which show as annotations beside the lines. Equal findings of a file are one annotation. */
export function formatGithub(report: ScanReport): string {
  const shown = report.hasNotes ? report.findings : report.findings.filter(({ level }) => level !== 'note')
  const lines = groupsOf(shown).map((group) => {
    const [first] = group
    if (first === undefined) return ''
    const { level, path, line, column, value, rule } = first
    const properties = [
      `file=${forGithubProperty(path)}`,
      `line=${line}`,
      `col=${column}`,
      `endColumn=${column + value.length}`,
      `title=${forGithubProperty(rule)}`,
    ]
    return `::${commandOf[level]} ${properties.join(',')}::${forGithub(sentenceOf(first) + moreLines(group))}\n`
  })
  const { errors, warnings, notes, files } = summarize(report)
  return [
    ...lines,
    ...report.incomplete.map(
      ({ path, reason }) => `::notice::${forGithub(`Not checked completely: ${path} (${reason})`)}\n`,
    ),
    ...report.unreadable.map(({ path, reason }) => `::warning::${forGithub(`Not read: ${path} (${reason})`)}\n`),
    ...report.stale.map(
      ({ rule, path, value }) =>
        `::notice::${forGithub(`The baseline has an entry that is gone: ${rule} ${path} ${value}`)}\n`,
    ),
    `${errors} errors, ${warnings} warnings, ${notes} notes in ${files} files\n`,
  ].join('')
}

/** Findings of one file with the same rule, level, value and fix. */
function groupsOf(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  return [
    ...groupBy(findings, ({ path, rule, level, value, fix }) =>
      JSON.stringify([path, rule, level, value, fix.text]),
    ).values(),
  ]
}

const moreLines = (group: readonly Finding[]) =>
  group.length === 1
    ? ''
    : ` (also in line ${group
        .slice(1, 20)
        .map(({ line }) => line)
        .join(', ')}${group.length > 20 ? ' and more' : ''})`

const colorOf: Readonly<Record<Level, string>> = { error: '31', warning: '33', note: '90' }
/** More findings than a person reads are a summary. */
const mostListed = 100
const mostRows = 8

/** Grouped by file: each finding with its line, a mark under the value, and the change. Many findings are a summary that fits on a screen. */
export function formatText(report: ScanReport): string {
  const paint = (text: string, code: string) => (report.hasColors ? `\u001B[${code}m${text}\u001B[0m` : text)
  const listed = report.findings.filter(({ level }) => level !== 'note' || report.hasNotes)
  const isListed = report.isDetailed || listed.length <= mostListed
  let [path, text] = ['', '']
  for (const group of isListed ? groupsOf(listed) : []) {
    const [first] = group
    if (first === undefined) continue
    if (first.path !== path) text += `${path === '' ? '' : '\n'}${paint(forTerminal(first.path), '1')}\n`
    path = first.path
    text += formatFinding(first, group, report.columns, paint)
  }
  const summary = summarize(report)
  return `${text}${isListed && listed.length > 0 ? '\n' : ''}${wrap(formatSummary(report, summary, isListed), report.columns)}\n`
}

function formatFinding(
  finding: Finding,
  group: readonly Finding[],
  columns: number,
  paint: (text: string, code: string) => string,
): string {
  const { line, column, level, rule, cloud, service, fix, excerpt } = finding
  const { text, mark } = frame(excerpt, columns - 4)
  const change = linesOfEdit(finding)
  return [
    `  ${line}:${column}  ${paint(level, colorOf[level])} ${rule}: ${service}, ${cloud}${moreLines(group)}`,
    `    ${forTerminal(text)}`,
    `    ${paint(mark, colorOf[level])}`,
    wrap(`    ${forTerminal(fix.text)}`, columns),
    ...(change === undefined
      ? []
      : [wrap(`    - ${forTerminal(change.before)}`, columns), wrap(`    + ${forTerminal(change.after)}`, columns)]),
    '',
  ].join('\n')
}

/** As much of the line as fits, with the value in view. */
function frame(
  { text, from, length }: Finding['excerpt'],
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

function formatSummary(report: ScanReport, summary: Summary, isListed: boolean): string {
  const { files, bytes, errors, warnings, notes, vendored, generated, binary, ignored, known, seconds } = summary
  const certain = report.findings.filter(({ level, fix }) => level !== 'note' && fix.edit?.isCertain === true).length
  return [
    `${count(errors, 'error')}, ${count(warnings, 'warning')}, ${count(notes, 'note')} in ${count(files, 'file')} (${(bytes / 1e6).toFixed(1)} MB, ${seconds.toFixed(1)} s)`,
    ...(isListed
      ? []
      : [
          'Too many to list: --details lists them, PATH… and --rule choose, --write-baseline begins with what there is',
        ]),
    ...(notes > 0 && !report.hasNotes ? ['--notes lists the notes'] : []),
    ...(certain > 0
      ? [
          `--fix can write ${certain} of the changes (--format patch shows them; --module PATH names the module of \`cloud-profile export\`)`,
        ]
      : []),
    ...list('By rule', summary.byRule),
    ...list('By service', summary.byService),
    ...list('By folder', isListed ? {} : summary.byFolder),
    ...list('Not reported', {
      known,
      ignored,
      'vendored files': vendored,
      'generated files': generated,
      'binary files': binary,
    }),
    ...some(
      'Not checked completely',
      report.incomplete.map(({ path, reason }) => `${path} (${reason})`),
    ),
    ...some(
      'Not read',
      report.unreadable.map(({ path, reason }) => `${path} (${reason})`),
    ),
    ...some(
      'Gone from the baseline',
      report.stale.map(({ rule, path, value }) => `${rule} ${path} ${value}`),
    ),
  ].join('\n')
}

/** The first of many rows: the JSON format lists all. */
const some = (title: string, rows: readonly string[]) => [
  ...rows.slice(0, mostRows).map((row) => `${title}: ${forTerminal(row)}`),
  ...(rows.length > mostRows ? [`${title}: ${rows.length - mostRows} more`] : []),
]

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

function list(title: string, counts: Readonly<Record<string, number>>): readonly string[] {
  const rows = Object.entries(counts)
    .filter(([, number]) => number > 0)
    .sort(([, a], [, b]) => b - a)
  const more = rows.slice(20).reduce((sum, [, number]) => sum + number, 0)
  return rows.length === 0
    ? []
    : [
        `${title}: ${rows
          .slice(0, 20)
          .map(([name, number]) => `${forTerminal(name)} ${number}`)
          .join(', ')}${more > 0 ? `, others ${more}` : ''}`,
      ]
}

/** Wraps lines at words, and longer words within them. Each line keeps its indent. */
function wrap(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, columns))
    .join('\n')
}

function wrapLine(line: string, columns: number): string {
  const indent = /^ */.exec(line)?.[0].slice(0, columns / 2) ?? ''
  const rows: string[] = []
  let row = ''
  for (const word of line.trimStart().split(' ')) {
    let rest = row === '' ? word : `${row} ${word}`
    if (rest.length > columns - indent.length && row !== '') {
      rows.push(row)
      rest = word
    }
    for (; rest.length > columns - indent.length; rest = rest.slice(columns - indent.length))
      rows.push(rest.slice(0, columns - indent.length))
    row = rest
  }
  // A line must not begin with what GitHub reads as a command.
  return [...rows, row].map((each) => indent + each.replace(/^::/, ': :')).join('\n')
}
