import { pathToFileURL } from 'node:url'
import { paint, wrap } from '../../../src/cli/terminal.ts'
import { printable, printableJson } from '../../../src/lib/base/printable.ts'
import manifest from '../package.json' with { type: 'json' }
import { fingerprintsOf, type BaselineEntry } from './baseline.ts'
import { rules, type Edit, type Finding, type Level } from './finding.ts'
import type { ScanResult } from './scan-tree.ts'

export const VERSION = manifest.version

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

type Counts = Readonly<Record<string, number>>

function summarize({ findings, counts, known, seconds }: ScanReport) {
  const ofLevel = (level: Level) => findings.filter((finding) => finding.level === level).length
  const folderOf = (path: string) => path.split('/').slice(0, -1).slice(0, 2).join('/') || '.'
  return {
    ...counts,
    findings: findings.length,
    errors: ofLevel('error'),
    warnings: ofLevel('warning'),
    notes: ofLevel('note'),
    known,
    byRule: countBy(findings.map(({ rule }) => rule)),
    byService: countBy(findings.map(({ service }) => service)),
    byFolder: countBy(findings.filter(({ level }) => level !== 'note').map(({ path }) => folderOf(path))),
    seconds: Math.round(seconds * 1000) / 1000,
  }
}

function countBy(names: readonly string[]): Counts {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))
}

const sentenceOf = ({ rule, value, cloud, service, fix }: Finding) =>
  rule === 'ENUMERATED_CLOUDS' || rule === 'PUBLIC_CLOUD_BY_DEFAULT'
    ? `${value}: ${rules[rule].title.toLowerCase()} (${service}). ${fix.text}`
    : `${value} belongs to the cloud ${cloud} (${service}). ${fix.text}`

/** One JSON document. It holds nothing of a line but the value and the change. */
export function formatJson(report: ScanReport): string {
  const findings = report.findings.map((finding) => {
    const { rule, level, path, line, column, value, cloud, service, fix } = finding
    const { text, edit } = fix
    return { rule, level, path, line, column, value, cloud, service, fix: text, ...(edit && { edit }) }
  })
  const { unreadable, incomplete, stale } = report
  return printableJson({ findings, summary: { ...summarize(report), unreadable, incomplete, stale } })
}

const withoutNotes = ({ findings, hasNotes }: ScanReport) =>
  findings.filter(({ level }) => hasNotes || level !== 'note')

/** What a report says beside its findings, and how important it is. */
const remarksOf = ({ unreadable, incomplete, stale }: ScanReport) => [
  ...incomplete.map(({ path, reason }) => ['note', `Not checked completely: ${path} (${reason})`] as const),
  ...unreadable.map(({ path, reason }) => ['warning', `Not read: ${path} (${reason})`] as const),
  ...stale.map(({ rule, path, value }) => ['note', `Gone from the baseline: ${rule} ${path} ${value}`] as const),
]

/** SARIF 2.1.0, for code review tools. Fingerprints stay when a line moves. */
export function formatSarif(report: ScanReport): string {
  const findings = withoutNotes(report)
  const ids = Object.keys(rules)
  const fingerprints = fingerprintsOf(findings)
  const results = findings.map((finding, index) => {
    const { rule, level, path, line, column, value, fix } = finding
    const artifactLocation = { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: 'ROOT' }
    const region = { startLine: line, startColumn: column, endColumn: column + value.length }
    return {
      ruleId: rule,
      ruleIndex: ids.indexOf(rule),
      level,
      message: { text: `${sentenceOf(finding)}.` },
      locations: [{ physicalLocation: { artifactLocation, region } }],
      partialFingerprints: { 'cloudProfileFinding/v1': fingerprints[index] ?? '' },
      ...(fix.edit && { fixes: [sarifFix(fix.text, fix.edit, artifactLocation)] }),
    }
  })
  const driver = {
    name: 'cloud-profile-scan',
    version: VERSION,
    rules: Object.entries(rules).map(([id, { title, about }]) => ({
      id,
      name: title,
      shortDescription: { text: title },
      fullDescription: { text: about },
      help: { text: about, markdown: `${about} See docs/scan.md of cloud-profile-service.` },
      defaultConfiguration: { level: 'error' as const },
    })),
  }
  const invocation = {
    executionSuccessful: report.unreadable.length === 0,
    toolExecutionNotifications: remarksOf(report).map(([level, text]) => ({ level, message: { text } })),
  }
  return printableJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { ROOT: { uri: `${pathToFileURL(report.root).href.replace(/\/$/, '')}/` } },
        invocations: [invocation],
        results,
      },
    ],
  })
}

function sarifFix(text: string, { start, end, newText }: Edit, artifactLocation: object) {
  const replacement = {
    deletedRegion: { byteOffset: start, byteLength: end - start },
    insertedContent: { text: newText },
  }
  return { description: { text }, artifactChanges: [{ artifactLocation, replacements: [replacement] }] }
}

const commandOf = { error: 'error', warning: 'warning', note: 'notice' } as const
/** The text after `::` of a workflow command, as the runner unescapes it. */
const forGithub = (text: string): string => printable(text).replaceAll('%', '%25')

/** Commands of a workflow, which show as annotations beside the lines. Equal findings of a file are one annotation. */
export function formatGithub(report: ScanReport): string {
  const lines = groupsOf(withoutNotes(report)).map(({ first, more }) => {
    const { level, path, line, column, value, rule } = first
    const file = forGithub(path).replaceAll(':', '%3A').replaceAll(',', '%2C')
    const place = `file=${file},line=${line},col=${column},endColumn=${column + value.length}`
    return `::${commandOf[level]} ${place},title=${rule}::${forGithub(sentenceOf(first) + more)}\n`
  })
  const remarks = remarksOf(report).map(([level, text]) => `::${commandOf[level]}::${forGithub(text)}\n`)
  const { errors, warnings, notes, files } = summarize(report)
  return `${[...lines, ...remarks].join('')}${errors} errors, ${warnings} warnings, ${notes} notes in ${files} files\n`
}

/** Findings of one file with the same rule, level, value and fix: the first, and the lines of the others. */
function groupsOf(findings: readonly Finding[]): readonly { readonly first: Finding; readonly more: string }[] {
  const groups = Map.groupBy(findings, ({ path, rule, level, value, fix }) =>
    JSON.stringify([path, rule, level, value, fix.text]),
  )
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const lines = others.slice(0, 19).map(({ line }) => line)
    const end = others.length > 19 ? ' and more' : ''
    return [{ first, more: lines.length === 0 ? '' : ` (also in line ${lines.join(', ')}${end})` }]
  })
}

/** More findings than a person reads are a summary. */
const mostListed = 100
const mostRows = 8

/** Grouped by file: each finding with its line, a mark under the value, and the change. Many findings are a summary that fits on a screen. */
export function formatText(report: ScanReport): string {
  const { columns, hasColors } = report
  const listed = withoutNotes(report)
  const isListed = report.isDetailed || listed.length <= mostListed
  const groups = Map.groupBy(isListed ? groupsOf(listed) : [], ({ first }) => first.path)
  const files = [...groups].map(([path, found]) => {
    const title = paint(printable(path), 'bold', hasColors)
    return `${title}\n${found.map(({ first, more }) => formatFinding(first, more, columns, hasColors)).join('')}\n`
  })
  return `${files.join('')}${wrap(formatSummary(report, isListed), columns)}\n`
}

const colorOf = { error: 'red', warning: 'yellow', note: 'gray' } as const

function formatFinding(finding: Finding, more: string, columns: number, hasColors: boolean): string {
  const { line, column, level, rule, cloud, service, fix, excerpt } = finding
  const { text, mark } = frame(excerpt, columns - 4)
  return [
    `  ${line}:${column}  ${paint(level, colorOf[level], hasColors)} ${rule}: ${service}, ${cloud}${more}`,
    `    ${printable(text)}`,
    `    ${paint(mark, colorOf[level], hasColors)}`,
    ...[fix.text, ...changeOf(finding)].map((row) => wrap(`    ${printable(row)}`, columns)),
    '',
  ].join('\n')
}

/** The text before and after the change: nothing else of the line is shown. */
function changeOf({ excerpt: { text }, fix: { edit } }: Finding): readonly string[] {
  if (edit === undefined || edit.newText.split('\n').length > 2 || edit.oldText.includes('\n')) return []
  return edit.oldText === ''
    ? [`- ${text.trim()}`, `+ … ${edit.newText.trim()} …`]
    : [`- ${edit.oldText}`, `+ ${edit.newText}`]
}

/** As much of the line as fits, with the value in view. */
function frame({ text, from, length }: Finding['excerpt'], columns: number) {
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

function formatSummary(report: ScanReport, isListed: boolean): string {
  const summary = summarize(report)
  const { files, bytes, errors, warnings, notes, vendored, generated, binary, ignored, known, seconds } = summary
  const certain = report.findings.filter(({ level, fix }) => level !== 'note' && fix.edit?.isCertain === true).length
  const remarks = Map.groupBy(remarksOf(report), ([, text]) => text.slice(0, text.indexOf(':')))
  const leftOut = {
    known,
    ignored,
    'vendored files': vendored,
    'generated files': generated,
    'binary files': binary,
  }
  return [
    `${count(errors, 'error')}, ${count(warnings, 'warning')}, ${count(notes, 'note')} in ${count(files, 'file')} (${(bytes / 1e6).toFixed(1)} MB, ${seconds.toFixed(1)} s)`,
    isListed
      ? ''
      : 'Too many to list: --details lists them, PATH… and --rule choose, --write-baseline begins with what there is',
    notes > 0 && !report.hasNotes ? '--notes lists the notes' : '',
    certain > 0
      ? `--fix can write ${certain} of the changes (--format patch shows them; --module PATH names the module of \`cloud-profile export\`)`
      : '',
    list('By rule', summary.byRule),
    list('By service', summary.byService),
    isListed ? '' : list('By folder', summary.byFolder),
    list('Not reported', leftOut),
    // The JSON format lists all.
    ...[...remarks].flatMap(([title, all]) => [
      ...all.slice(0, mostRows).map(([, text]) => printable(text)),
      all.length > mostRows ? `${title}: ${all.length - mostRows} more` : '',
    ]),
  ]
    .filter((row) => row !== '')
    .join('\n')
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

function list(title: string, counts: Counts): string {
  const rows = Object.entries(counts)
    .filter(([, number]) => number > 0)
    .sort(([, a], [, b]) => b - a)
  const more = rows.slice(20).reduce((sum, [, number]) => sum + number, 0)
  const shown = rows.slice(0, 20).map(([name, number]) => `${printable(name)} ${number}`)
  return rows.length === 0 ? '' : `${title}: ${[...shown, ...(more > 0 ? [`others ${more}`] : [])].join(', ')}`
}
