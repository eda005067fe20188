import { describe, expect, test } from 'vitest'
import type { DiagnosticsReport } from '../../../src/lib/diagnostics/report.ts'
import { createCachedReport } from '../../../src/lib/service/cached-report.ts'

const report = { status: 'ok', checkedAt: '2026-11-21T02:10:00.000Z' } as DiagnosticsReport

/** Diagnostics whose runs never end, or end with a failure. */
const dying = (run: () => Promise<DiagnosticsReport>) => {
  let runs = 0
  return { runs: () => runs, report: async () => (runs++, run()) }
}

describe('The cached report', () => {
  test.each([
    [0, 0, true],
    [59_999, 0, true],
    [60_000, 1, true],
    [299_999, 1, true],
    [300_000, 1, false],
  ])('of %i ms ago starts %i runs and is given: %s', async (age, runs, isGiven) => {
    let now = 0
    const cached = createCachedReport(() => now)
    cached.record(report)
    now = age
    const diagnostics = dying(() => new Promise(() => {}))
    expect(await cached.read(diagnostics)).toBe(isGiven ? report : undefined)
    expect(diagnostics.runs()).toBe(runs)
    // However old, when it was made is known.
    expect(cached.last()).toBe(report)
  })

  test('of runs that all die is not given for more than five minutes', async () => {
    let now = 0
    const cached = createCachedReport(() => now)
    cached.record(report)
    const diagnostics = dying(() => Promise.reject(new Error('died')))
    for (now = 0; now < 300_000; now += 50_000) expect(await cached.read(diagnostics)).toBe(report)
    expect(await cached.read(diagnostics)).toBeUndefined()
    expect(diagnostics.runs()).toBeGreaterThan(1)
  })
})
