import { describe, expect, test, vi } from 'vitest'

import { readTimerSchedule } from '../../src/server/timers.ts'

/** The next three occurrences, in UTC. */
function next(expression: string, from: string, timeZone = 'UTC'): readonly string[] {
  const dates = readTimerSchedule('f', expression, timeZone).nextRuns(3, new Date(from))
  const runs = dates.map((date) => date.toISOString().replace('.000', ''))
  return runs.length < 3 ? [...runs, 'never'] : runs
}

// Expected times come from NCrontab, the library of the Functions host.
test.each([
  ['0 */15 * * * *', '2026-11-21T10:07:30Z', ['2026-11-21T10:15:00Z', '2026-11-21T10:30:00Z', '2026-11-21T10:45:00Z']],
  [
    '0 30 9 * * Mon-Fri',
    '2026-11-20T09:30:00Z',
    ['2026-11-23T09:30:00Z', '2026-11-24T09:30:00Z', '2026-11-25T09:30:00Z'],
  ],
  ['0 0 0 13 * 5', '2026-01-01T00:00:00Z', ['2026-02-13T00:00:00Z', '2026-03-13T00:00:00Z', '2026-11-13T00:00:00Z']],
  ['0 0 0 29 2 *', '2026-01-01T00:00:00Z', ['2028-02-29T00:00:00Z', '2032-02-29T00:00:00Z', '2036-02-29T00:00:00Z']],
  ['0 0 0 31 * *', '2026-01-31T00:00:00Z', ['2026-03-31T00:00:00Z', '2026-05-31T00:00:00Z', '2026-07-31T00:00:00Z']],
  ['0 0 22-20 * * *', '2026-11-21T21:00:00Z', ['2026-11-21T22:00:00Z', '2026-11-22T20:00:00Z', '2026-11-22T21:00:00Z']],
  ['0 0 */90 * * *', '2026-11-21T10:00:00Z', ['2026-11-22T00:00:00Z', '2026-11-23T00:00:00Z', '2026-11-24T00:00:00Z']],
  [
    '0 0 0 1 January,jul Sunday',
    '2026-01-01T00:00:00Z',
    ['2029-07-01T00:00:00Z', '2034-01-01T00:00:00Z', '2035-07-01T00:00:00Z'],
  ],
])('%s after %s', (expression, from, expected) => {
  expect(next(expression, from)).toEqual(expected)
})

describe('when the clocks change', () => {
  test('a schedule with one time of day occurs once in the repeated hour', () => {
    expect(next('0 30 1 * * *', '2026-11-01T00:00:00Z', 'America/Los_Angeles')).toEqual([
      '2026-11-01T08:30:00Z',
      '2026-11-02T09:30:00Z',
      '2026-11-03T09:30:00Z',
    ])
  })

  test('an interval goes on through the repeated hour', () => {
    expect(next('0 */30 * * * *', '2026-11-01T08:15:00Z', 'America/Los_Angeles')).toEqual([
      '2026-11-01T08:30:00Z',
      '2026-11-01T09:00:00Z',
      '2026-11-01T09:30:00Z',
    ])
  })
})

test.each([
  ['* * * *', 'six fields'],
  ['0 0 0 31 2 *', 'it never occurs'],
])('%j is refused: %s', (expression, message) => {
  expect(() => readTimerSchedule('f', expression, 'UTC')).toThrow(message)
})

test.each(['', ' ', 'No/Where', 'UTC0x', '../../etc/passwd', ':', '+05:30x'])(
  'a TZ that names no zone (%j) counts in UTC, and a schedule is no less one',
  (zone) => {
    vi.stubEnv('TZ', zone)
    try {
      const daily = readTimerSchedule('daily', '0 0 3 * * *', undefined)
      expect(daily.nextRun(new Date('2026-11-21T02:00:00Z'))?.toISOString()).toBe('2026-11-21T03:00:00.000Z')
    } finally {
      vi.unstubAllEnvs()
    }
  },
)
