import { describe, expect, test } from 'vitest'
import type { DiagnosticsReport } from '../../../src/lib/diagnostics/report.ts'
import { createHistory } from '../../../src/lib/diagnostics/diagnostics.ts'

const report = (status: DiagnosticsReport['status'], code?: string) =>
  ({
    status,
    checkedAt: '2026-11-21T02:10:00.000Z',
    token: { durationMs: 41 },
    ...(code === undefined ? {} : { rootCause: { code } }),
  }) as DiagnosticsReport

function clockedHistory() {
  const clock = { now: 0 }
  return { clock, history: createHistory(() => clock.now) }
}

describe('The history of a process', () => {
  test('says when each look was, its verdict and the code of its cause', () => {
    const { history } = clockedHistory()
    history.record(report('failed', 'AUTHORITY_TIMEOUT'))
    expect(history.entries()).toEqual([
      { at: '2026-11-21T02:10:00.000Z', status: 'failed', code: 'AUTHORITY_TIMEOUT', durationMs: 41 },
    ])
  })

  test('a page that asks every second does not push out the morning', () => {
    const { clock, history } = clockedHistory()
    for (let second = 0; second < 3600; second++) {
      history.record(report('ok'))
      clock.now += 1000
    }
    expect(history.entries()).toHaveLength(12)
  })

  test('a change is kept however soon it comes, another code too', () => {
    const { history } = clockedHistory()
    history.record(report('ok'))
    history.record(report('failed', 'AUTHORITY_TIMEOUT'))
    history.record(report('failed', 'AUTHORITY_REFUSED'))
    history.record(report('ok'))
    expect(history.entries().map(({ status }) => status)).toEqual(['ok', 'failed', 'failed', 'ok'])
  })

  test('a cloud that comes and goes all day costs bounded memory', () => {
    const { history } = clockedHistory()
    for (let each = 0; each < 5000; each++) history.record(report(each % 2 === 0 ? 'ok' : 'failed'))
    expect(history.entries()).toHaveLength(576)
  })
})
