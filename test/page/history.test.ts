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
  test('has as many bars as runs, and says the period of each verdict and code', () => {
    const html = render([
      entry(5),
      entry(4, { status: 'failed', code: 'AUTHORITY_UNTRUSTED' }),
      entry(3, { status: 'failed', code: 'AUTHORITY_UNTRUSTED' }),
      entry(2, { status: 'failed', code: 'AUTHORITY_TIMEOUT' }),
      entry(1, { status: 'warning' }),
    ])
    const bars = [
      ...html.matchAll(
        /<path\s+class="(\w+)"\s+d="M(\d+) \d+h(\d+)"\s+stroke-width="(\d+)">\s*<title>2026-11-21 (.*?)<\/title>/g,
      ),
    ]
    expect(bars.map((each) => each.slice(1))).toEqual([
      ['ok', '910', '10', '16', '00:55 UTC: OK'],
      ['failed', '920', '20', '32', '01:10 to 01:25 UTC, 2 runs: Failed AUTHORITY_UNTRUSTED'],
      ['failed', '940', '10', '32', '01:40 UTC: Failed AUTHORITY_TIMEOUT'],
      ['warning', '950', '10', '22', '01:55 UTC: Warning'],
    ])
  })

  test('says the same as text, newest first, and sums it up', () => {
    const html = render([entry(2), entry(1, { status: 'failed', code: 'AUTHORITY_TIMEOUT' })])
    const items = [...html.matchAll(/<li>(.*?)<\/li>/gs)].map(([, text]) => text)
    expect(items).toEqual(['2026-11-21 01:55 UTC: Failed AUTHORITY_TIMEOUT', '2026-11-21 01:40 UTC: OK'])
    expect(html).toContain('1 OK, 1 failed')
    expect(html).toContain('30 min ago')
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

  test('says whose it is, that there was no run yet, and that a restart loses them', () => {
    expect(render()).toContain('of enclave-worker-7')
    expect(render()).toMatch(/No run yet.*loses it at a restart/s)
  })
})
