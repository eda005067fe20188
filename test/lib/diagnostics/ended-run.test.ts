import { expect, test } from 'vitest'
import { endedRun, longestRunMs, type DiagnosticsRun } from '../../../src/lib/diagnostics/run-diagnostics.ts'

test.each<[string, () => Promise<DiagnosticsRun>]>([
  ['that never ends', () => new Promise(() => {})],
  ['that dies', () => Promise.reject(new RangeError('broken'))],
])('a run %s is a failed run', async (_what, run) => {
  expect(await endedRun(run(), 10)).toMatchObject({
    token: { status: 'failed', error: { code: 'UNEXPECTED' } },
    checks: [{ id: 'diagnostics.run', status: 'fail', code: 'UNEXPECTED' }],
  })
})

test('a whole run may take longer than its three longest parts', () => {
  expect(longestRunMs(120_000)).toBeGreaterThan(3 * 120_000)
})
