import { escapeHidden } from '../../lib/base/printable.ts'
import type { SmokeTestRun } from '../../lib/diagnostics/report.ts'

/** A run as JUnit XML: a suite per profile, a case per check; warnings are failures only when they failed the run. */
export function formatJunit({ results, startedAt }: SmokeTestRun): string {
  const suites = results.map(({ profile, status, checks, warnings, rootCause }) => {
    const cases = checks.map(({ id, status: each, code, message, cause, fix, durationMs }) => {
      const details = [message, cause && `Cause: ${cause}`, fix && `Fix: ${fix}`].filter(Boolean).join('\n')
      const result = {
        fail: failure(details, code ?? 'UNEXPECTED'),
        skip: '<skipped/>',
        warn: output(details),
        pass: '',
      }[each]
      return { isFailed: each === 'fail', isSkipped: each === 'skip', xml: testCase(profile, id, result, durationMs) }
    })
    if (warnings.length > 0) {
      const text = warnings.map(({ code, message }) => `${code}: ${message}`).join('\n')
      const isFailed = status === 'fail' && checks.every((check) => check.status !== 'fail')
      const result = isFailed ? failure(text, 'WARNINGS') : output(text)
      cases.push({ isFailed, isSkipped: false, xml: testCase(profile, 'profile.warnings', result) })
    }
    const counts = {
      tests: cases.length,
      failures: cases.filter(({ isFailed }) => isFailed).length,
      errors: 0,
      skipped: cases.filter(({ isSkipped }) => isSkipped).length,
    }
    const property =
      rootCause && element('property', { name: 'rootCause', value: `${rootCause.code}: ${rootCause.message}` })
    const body = [
      ...(property === undefined ? [] : [`<properties>${property}</properties>`]),
      ...cases.map(({ xml }) => xml),
    ]
    const suite = element('testsuite', { name: profile, timestamp: startedAt, ...counts }, `\n${body.join('\n')}\n`)
    return { counts, suite }
  })
  const sum = (name: 'tests' | 'failures' | 'errors' | 'skipped') =>
    suites.reduce((total, { counts }) => total + counts[name], 0)
  const totals = { tests: sum('tests'), failures: sum('failures'), errors: sum('errors'), skipped: sum('skipped') }
  const all = element('testsuites', totals, `\n${suites.map(({ suite }) => suite).join('\n')}\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${all}\n`
}

const testCase = (profile: string, name: string, result: string, durationMs?: number) =>
  element(
    'testcase',
    { classname: profile, name, ...(durationMs === undefined ? {} : { time: durationMs / 1000 }) },
    result,
  )
const failure = (text: string, type: string) => element('failure', { message: text, type })
const output = (text: string) => element('system-out', {}, escapeText(text))

function element(name: string, attributes: Readonly<Record<string, string | number>>, content = ''): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeText(String(value), '&#10;')}"`)
  return content === '' ? `<${name}${pairs.join('')}/>` : `<${name}${pairs.join('')}>${content}</${name}>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeText(text: string, lineBreak = '\n'): string {
  const lines = text.split('\n').map((line) => escapeHidden(line).replace(/[&<>"]/g, (each) => entities[each] ?? each))
  return lines.join(lineBreak)
}
