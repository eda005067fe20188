import { escapeHidden, printable } from '../lib/base/printable.ts'
import { describeWarning, lineOfChange } from '../lib/errors.ts'
import { warningFindings } from '../lib/findings/warning-findings.ts'
import type { Check, MatrixRow, RootCause, SmokeTestResult, SmokeTestRun } from '../lib/diagnostics/report.ts'
import { layers } from '../lib/findings/finding.ts'
import { elide, formatTable, paint, wrap, type Color } from './terminal.ts'

type Status = Check['status']

/** The style of the text format. */
export interface TextStyle {
  readonly colors: boolean
  readonly width: number
  /** Whether every check is listed. */
  readonly verbose: boolean
  /** Whether a profile whose only warning is about its placeholders takes one line. */
  readonly brief?: boolean
}

/** The indent of the lines below a profile's name: the width of the verdict before the name. */
const indent = '      '

/** The results for people: each profile with its verdict, one cause and one fix, failed profiles first, and then the counts. */
export function formatText({ results, status, durationMs }: Omit<SmokeTestRun, 'startedAt'>, style: TextStyle): string {
  const failedFirst = results.toSorted((a, b) => Number(b.status === 'fail') - Number(a.status === 'fail'))
  const count = (as: Status) => results.filter((result) => result.status === as).length
  const summary = `${count('pass')} passed, ${count('warn')} with warnings, ${count('fail')} failed in ${durationMs} ms`
  const hint = results.some((result) => isBrief(result, style))
    ? `${indent}explain --cloud NAME lists the placeholders\n`
    : ''
  return [
    ...failedFirst.map((result) => formatResult(result, style)),
    wrap(hint, style.width),
    `\n${paintStatus(status, style.colors, indent.length)}${wrap(summary, style.width - indent.length).replaceAll('\n', `\n${indent}`)}\n`,
  ].join('')
}

/** Adds cause and fix to the failures of profiles. Their table is large, and most runs don't need it. */
export async function explainFailures(results: readonly SmokeTestResult[]): Promise<SmokeTestResult[]> {
  if (results.every(({ status }) => status !== 'fail')) return [...results]
  const { findings, fixOf } = await import('../lib/findings/catalog.ts')
  const explain = (check: Check): Check => {
    const { status, code, fix } = check
    if (status !== 'fail' || fix !== undefined || code === undefined || !Object.hasOwn(findings, code)) return check
    const { text, cause } = fixOf({ code })
    return { ...check, cause, fix: text }
  }
  return results.map((result) => ({ ...result, checks: result.checks.map(explain) }))
}

/** Whether a profile takes one line, because its only warning is about its placeholders. */
function isBrief({ checks, warnings }: SmokeTestResult, { brief = false, verbose }: TextStyle): boolean {
  const isPlaceholder = warnings.length > 0 && warnings.every(({ code }) => code === 'PLACEHOLDER_FIELD')
  return brief && !verbose && isPlaceholder && checks.every(({ status }) => status !== 'fail')
}

function formatResult(result: SmokeTestResult, style: TextStyle): string {
  const { profile, status, checks, warnings, notes = [], rootCause, hosts = [] } = result
  const name = paintStatus(status, style.colors, indent.length) + printable(profile)
  if (isBrief(result, style)) return `${wrap(`${name}: placeholders to replace`, style.width)}\n`
  const failed = checks.filter((check) => check.status === 'fail')
  const cause = rootCause ?? failed[0] ?? checks.find((check) => check.status === 'warn')
  const explained = rootCause?.checks ?? failed.slice(0, 1).map(({ id }) => id)
  const others = failed.filter(({ id }) => !explained.includes(id))
  // This cause lists the fields of the warnings.
  const replaced = warnings.filter(({ code }) => code === 'PLACEHOLDER_FIELD' && cause?.code === 'PLACEHOLDER_PROFILE')
  const otherWarnings = warnings.filter((each) => !replaced.includes(each))
  const lead = [
    name,
    ...(cause === undefined ? [] : describeCause(cause).map((line) => indent + escapeHidden(line))),
    ...replaced.flatMap(({ commands = [] }) => commands.map((line) => indent + printable(line))),
  ]
  // A placeholder profile contacts no host.
  const isContacted = hosts.some(({ layers }) => Object.values(layers).some((layer) => layer.status !== 'skip'))
  const matrix = isContacted ? formatMatrix(hosts, style.width - indent.length, style.colors) : ''
  const after = [
    ...(style.verbose ? [] : describeOthers(others)),
    ...otherWarnings.flatMap((each, index) => [
      `${paint('warn', 'yellow', style.colors)} ${each.code}: ${printable(describeWarning(each))}`,
      // Once for several warnings of one kind.
      ...(otherWarnings[index + 1]?.code === each.code ? [] : [`Fix:   ${warningFindings[each.code].fix}`]),
    ]),
    ...(style.verbose ? notes.map(({ code, message }) => `note ${code}: ${printable(message)}`) : []),
  ].map((line) => `${indent}${line}\n`)
  const found = checks.map((each) => [paintStatus(each.status, style.colors), each.id, printable(each.message)])
  return [
    `${wrap(lead.join('\n'), style.width)}\n`,
    matrix === '' ? '' : `\n${matrix.replace(/^(?=.)/gm, indent)}`,
    wrap(after.join(''), style.width),
    style.verbose ? `\n${formatTable(['', 'Check', 'Found'], found, style.width)}\n` : '',
  ].join('')
}

/** Failures that the root cause doesn't explain, so that a second fault doesn't stay hidden. */
function describeOthers(failed: readonly Check[]): string[] {
  const distinct = new Map(failed.map((check) => [`${check.code} ${check.fix}`, check]))
  return [...distinct.values()].flatMap(({ id, code = id, message, fix }) => [
    `Also ${code}: ${printable(message)}`,
    ...(fix === undefined ? [] : [`Fix:   ${printable(fix)}`]),
  ])
}

function describeCause({ code, message, cause, fix, change, ...check }: Partial<RootCause> | Check): string[] {
  const [first = '', ...rest] = (message ?? '').split('\n').map(printable)
  const texts = [message, cause, fix].join(' ')
  const evidence = Object.entries('evidence' in check ? (check.evidence ?? {}) : {})
    .filter(([, value]) => !texts.includes(value))
    .map(([name, value]) => `${name} ${printable(value)}`)
  const line = lineOfChange(change)
  return [
    `${code ?? ('id' in check ? check.id : '')}: ${first}`,
    ...rest.map((line) => `  ${line}`),
    ...(cause === undefined ? [] : [`Cause: ${cause}`]),
    ...(fix === undefined ? [] : [`Fix:   ${fix}`]),
    ...(line === undefined ? [] : [`Change: ${printable(line)}`]),
    ...(evidence.length === 0 ? [] : [`Evidence: ${evidence.join(', ')}`]),
  ]
}

/** The least columns for the name of a host in a table. */
const leastName = 24

/** Hosts and the layers that requests to them reached: a table, with a line for each name if one has no room in it. */
function formatMatrix(hosts: readonly MatrixRow[], width: number, colors: boolean): string {
  const shown = layers.filter((layer) => hosts.some((host) => host.layers[layer] !== undefined))
  const room = width - shown.reduce((sum, layer) => sum + Math.max(layer.length, 4) + 2, 0)
  const column = Math.max(...hosts.map(({ id }) => id.length)) + 2
  const names = hosts.map(({ id, host }) => id.padEnd(column) + printable(host))
  const isWhole = room < leastName || names.every((name) => name.length <= room)
  const rows = hosts.map(({ id, layers }, index) => [
    isWhole ? (names[index] ?? '') : id,
    ...shown.map((layer) => (layers[layer] === undefined ? '' : paintStatus(layers[layer].status, colors))),
  ])
  // Without room for names, each row becomes a paragraph.
  const table = formatTable(['Host', ...shown], rows, isWhole ? width : Infinity)
  if (isWhole) return table
  // A cut name could be any host.
  const below = ['', ...hosts.map(({ host }) => `  ${elide(printable(host), width - 2)}\n`)]
  return table.replace(/\n/g, (end) => end + (below.shift() ?? ''))
}

const words = {
  pass: ['ok', 'green'],
  warn: ['warn', 'yellow'],
  fail: ['FAIL', 'red'],
  skip: ['skip', 'gray'],
} as const satisfies Record<Check['status'], readonly [string, Color]>

/** A status in a word. @param width Columns that are filled with spaces. Default is none. */
function paintStatus(status: Check['status'], colors: boolean, width = 0): string {
  const [word, color] = words[status]
  return paint(word.padEnd(width), color, colors)
}

/** A run as JUnit XML: a suite per profile, a case per check; warnings are failures only when they failed the run. */
export function formatJunit({ results, startedAt }: SmokeTestRun): string {
  const suites = results.map(({ profile, status, checks, warnings, rootCause }) => {
    const cases = checks.map(({ id, status: each, code = 'UNEXPECTED', message, cause, fix, durationMs }) => {
      const details = [message, cause && `Cause: ${cause}`, fix && `Fix: ${fix}`].filter(Boolean).join('\n')
      return testCase({ classname: profile, name: id, time: durationMs / 1000 }, each, details, code)
    })
    if (warnings.length > 0) {
      const text = warnings.map((each) => `${each.code}: ${describeWarning(each)}`).join('\n')
      const isCause = status === 'fail' && checks.every((check) => check.status !== 'fail')
      const names = { classname: profile, name: 'profile.warnings' }
      cases.push(testCase(names, isCause ? 'fail' : 'warn', text, 'WARNINGS'))
    }
    const property = { name: 'rootCause', value: `${rootCause?.code}: ${rootCause?.message}` }
    const properties = rootCause ? [element('properties', {}, element('property', property))] : []
    const body = [...properties, ...cases.map(({ xml }) => xml)].join('\n')
    const attributes = { name: profile, timestamp: startedAt, ...countsOf(cases) }
    return { cases, xml: element('testsuite', attributes, `\n${body}\n`) }
  })
  const totals = countsOf(suites.flatMap(({ cases }) => cases))
  const all = element('testsuites', totals, `\n${suites.map(({ xml }) => xml).join('\n')}\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${all}\n`
}

type Attributes = Readonly<Record<string, string | number>>

/** @param type The kind of a failure. */
function testCase(attributes: Attributes, status: Status, details: string, type: string) {
  const result = {
    pass: '',
    warn: element('system-out', {}, escapeText(details)),
    skip: element('skipped', {}),
    fail: element('failure', { message: details, type }),
  }[status]
  return { status, xml: element('testcase', attributes, result) }
}

function countsOf(cases: readonly { readonly status: Status }[]) {
  const count = (as: Status) => cases.filter(({ status }) => status === as).length
  return { tests: cases.length, failures: count('fail'), errors: 0, skipped: count('skip') }
}

function element(name: string, attributes: Attributes, content = ''): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeText(String(value), '&#10;')}"`)
  return content === '' ? `<${name}${pairs.join('')}/>` : `<${name}${pairs.join('')}>${content}</${name}>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeText(text: string, lineBreak = '\n'): string {
  const lines = text.split('\n').map((line) => escapeHidden(line).replace(/[&<>"]/g, (each) => entities[each] ?? each))
  return lines.join(lineBreak)
}
