import { describe, expect, test } from 'vitest'
import type { DiagnosticsReport } from '../../../src/lib/diagnostics/report.ts'
import { createReportCache } from '../../../src/lib/diagnostics/diagnostics.ts'

const report = (status: string) => ({ checks: [{ status }], token: { cached: true } }) as unknown as DiagnosticsReport

/** A cache with one report, clocks that the test sets, and a count of runs. */
async function filled(status = 'pass') {
  const clock = { now: 0, wall: 1e12 }
  const cache = createReportCache(
    () => clock.now,
    () => clock.wall + clock.now,
  )
  const made = report(status)
  const counted = { runs: 0 }
  const get = (key: string) =>
    cache.get(
      async () => key,
      async () => (counted.runs++, { report: made, key }),
    )
  await get('token 1')
  return { cache, clock, counted, get, made }
}

describe('The report cache', () => {
  test.each([
    ['pass', 59_999, 1],
    ['pass', 60_000, 2],
    ['fail', 19_999, 1],
    ['fail', 20_000, 2],
  ])('a report whose checks %s costs after %i ms %i runs', async (status, age, runs) => {
    const { clock, counted, get } = await filled(status)
    clock.now = age
    await get('token 1')
    expect(counted.runs).toBe(runs)
  })

  test('another token outcome needs another run', async () => {
    const { counted, get } = await filled()
    await get('token 2')
    expect(counted.runs).toBe(2)
  })

  test.each([7_200_000, -7_200_000])('no check is proof after the wall clock jumped by %i ms', async (jump) => {
    const { clock, counted, get } = await filled()
    clock.wall += jump
    await get('token 1')
    expect(counted.runs).toBe(2)
  })

  test('all who ask at the same time share one run', async () => {
    const cache = createReportCache()
    let runs = 0
    const run = async () => (runs++, { report: report('pass'), key: '' })
    await Promise.all([1, 2, 3].map(() => cache.get(async () => '', run)))
    expect(runs).toBe(1)
  })

  test.each([
    [0, 0, true],
    [59_999, 0, true],
    [60_000, 1, true],
    [299_999, 1, true],
    [300_000, 1, false],
  ])('the cached report of %i ms ago starts %i runs and gives it: %s', async (age, runs, isGiven) => {
    const { cache, clock, made } = await filled()
    clock.now = age
    let started = 0
    expect(await cache.peek(() => new Promise(() => started++))).toBe(isGiven ? made : undefined)
    expect(started).toBe(runs)
    // However old, when it was made is known.
    expect(cache.last()).toBe(made)
  })

  test('runs that all die do not make an old report young', async () => {
    const { cache, clock, made } = await filled()
    for (clock.now = 0; clock.now < 300_000; clock.now += 50_000) {
      expect(await cache.peek(() => Promise.reject(new Error('died')))).toBe(made)
    }
    expect(await cache.peek(() => Promise.reject(new Error('died')))).toBeUndefined()
  })
})
