import { describe, expect, test } from 'vitest'
import type { HistoryEntry } from '../../src/lib/diagnostics/report.ts'
import { historySection } from '../../src/page/history.ts'
import { samples } from '../support/sample-reports.ts'

const now = new Date('2026-11-21T02:10:00.000Z')
const entry = (quarters: number, rest: Partial<HistoryEntry> = {}): HistoryEntry => ({
  at: new Date(now.getTime() - quarters * 900_000).toISOString(),
  status: 'ok',
  ...rest,
})
const render = (history: readonly HistoryEntry[] = []) =>
  historySection({ ...samples.ok.report, history }, now).toString()

describe('the history strip', () => {
  test('has a bar for each run, and says when one was not OK, and why', () => {
    const html = render([
      entry(4),
      entry(3, { status: 'failed', code: 'AUTHORITY_UNTRUSTED' }),
      entry(2, { status: 'warning' }),
      entry(1),
    ])
    const bars = [
      ...html.matchAll(
        /<path\s+class="(\w+)"\s+d="M(\d+) \d+h7"\s+stroke-width="(\d+)"\s*>(?:<title>(.*?)<\/title>)?/g,
      ),
    ]
    expect(bars.map((each) => each.slice(1))).toEqual([
      ['ok', '920', '16', undefined],
      ['failed', '930', '32', '2026-11-21 01:25 UTC: Failed AUTHORITY_UNTRUSTED'],
      ['warning', '940', '22', '2026-11-21 01:40 UTC: Warning'],
      ['ok', '950', '16', undefined],
    ])
    expect(html).toContain('2 OK, 1 warning, 1 failed')
    expect(html).toContain('60 min ago')
  })

  test('shows the last 96 runs, and stays small in the worst day', () => {
    const codes = ['AUTHORITY_UNTRUSTED', 'AUTHORITY_TIMEOUT'] as const
    const flapping = Array.from({ length: 500 }, (_, index) =>
      entry(500 - index, { status: 'failed', code: codes[index % 2] ?? 'UNEXPECTED' }),
    )
    const html = render(flapping)
    expect(html.match(/<path/g)).toHaveLength(96)
    expect(html).toContain('24 h ago')
    expect(Buffer.byteLength(html)).toBeLessThan(16_000)
  })

  test('says whose it is, since when, and that there was no run yet', () => {
    expect(render()).toContain('of enclave-worker-7')
    expect(render()).toMatch(/since the start of.*No run yet/s)
  })
})
