import { styleText } from 'node:util'
import Table from 'cli-table3'
import type { Check, SmokeTestResult, SmokeTestRun } from '../../lib/diagnostics/report.ts'

type Status = Check['status']

const words = { pass: 'ok', warn: 'warn', fail: 'FAIL', skip: 'skip' } as const satisfies Record<Status, string>
const colorOf = { pass: 'green', warn: 'yellow', fail: 'red', skip: 'gray' } as const satisfies Record<Status, string>

/** A run for people: one table, then cause and fix of each check that is not well. */
export function formatText({ results, status, durationMs }: SmokeTestRun, colors: boolean): string {
  const paint = (word: string, as: Status) => (colors ? styleText(colorOf[as], word, { validateStream: false }) : word)
  const table = new Table({
    head: ['Profile', 'Check', 'Result', 'Found'],
    style: { head: [], border: [], compact: true },
    wordWrap: true,
    colWidths: [28, 32, 8, 60],
  })
  for (const { profile, checks, warnings } of results) {
    for (const [index, { id, status: each, message }] of checks.entries()) {
      table.push([index === 0 ? profile : '', id, paint(words[each], each), message])
    }
    for (const { code, message } of warnings) table.push(['', code, paint(words.warn, 'warn'), message])
  }
  const advice = results.flatMap((result) => describeTroubles(result))
  const count = (as: Status) => results.filter((result) => result.status === as).length
  const summary = `${count('pass')} passed, ${count('warn')} with warnings, ${count('fail')} failed in ${durationMs} ms`
  return [table.toString(), ...advice, '', `${paint(words[status], status)}  ${summary}`, ''].join('\n')
}

function describeTroubles({ profile, checks }: SmokeTestResult): string[] {
  const troubled = checks.filter(({ status }) => status === 'fail' || status === 'warn')
  return troubled.flatMap(({ id, code, message, cause, fix }) => [
    '',
    `${profile} · ${id}${code === undefined ? '' : ` · ${code}`}`,
    `  ${message.replaceAll('\n', '\n  ')}`,
    ...(cause === undefined ? [] : [`  Cause: ${cause}`]),
    ...(fix === undefined ? [] : [`  Fix:   ${fix}`]),
  ])
}
