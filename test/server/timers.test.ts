import { afterEach, describe, expect, test, vi } from 'vitest'
import { createInvocations } from '../../src/server/invocations.ts'
import type { LogLine } from '../../src/server/log.ts'
import { createTimer, readTimerSchedule } from '../../src/server/timers.ts'
import { errorOf } from '../support/error-of.ts'
import { useServers } from '../support/use-servers.ts'

const startServer = useServers()
const everySecond = '* * * * * *'
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

/** The next three occurrences, in UTC. */
function next(expression: string, from: string, timeZone = 'UTC'): readonly string[] {
  const dates = readTimerSchedule('f', expression, timeZone).nextRuns(3, new Date(from))
  const runs = dates.map((date) => date.toISOString().replace('.000', ''))
  return runs.length < 3 ? [...runs, 'never'] : runs
}

// Expected times come from NCrontab, the library of the Functions host.
test.each([
  ['0 */15 * * * *', '2026-11-21T10:07:30Z', '2026-11-21T10:15 2026-11-21T10:30 2026-11-21T10:45'],
  ['0 30 9 * * Mon-Fri', '2026-11-20T09:30:00Z', '2026-11-23T09:30 2026-11-24T09:30 2026-11-25T09:30'],
  ['0 0 0 13 * 5', '2026-01-01T00:00:00Z', '2026-02-13T00:00 2026-03-13T00:00 2026-11-13T00:00'],
  ['0 0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00 2032-02-29T00:00 2036-02-29T00:00'],
  ['0 0 0 31 * *', '2026-01-31T00:00:00Z', '2026-03-31T00:00 2026-05-31T00:00 2026-07-31T00:00'],
  ['0 0 12/6 * * *', '2026-11-21T13:00:00Z', '2026-11-21T18:00 2026-11-22T12:00 2026-11-22T18:00'],
  ['0 0 0 1 Jan,jul Sun', '2026-01-01T00:00:00Z', '2029-07-01T00:00 2034-01-01T00:00 2035-07-01T00:00'],
])('%s after %s', (expression, from, expected) => {
  expect(next(expression, from)).toEqual(expected.split(' ').map((time) => `${time}:00Z`))
})

test.each([
  ['a schedule with one time of day occurs once', '0 30 1 * * *', '00:00', ['01T08:30', '02T09:30', '03T09:30']],
  ['a list of times occurs once', '0 0,30 1 * * *', '07:30', ['01T08:00', '01T08:30', '02T09:00']],
  ['an interval goes on', '0 */30 * * * *', '08:15', ['01T08:30', '01T09:00', '01T09:30']],
])('when the clocks go back, %s in the repeated hour', (_, expression, from, expected) => {
  const times = expected.map((time) => `2026-11-${time}:00Z`)
  expect(next(expression, `2026-11-01T${from}:00Z`, 'America/Los_Angeles')).toEqual(times)
})

test.each([
  ['hourly', 'UTC', 'SCHEDULE_INVALID', 'The schedule "hourly" of function "f" is invalid'],
  ['0 0 0 31 2 *', 'UTC', 'SCHEDULE_INVALID', 'it never occurs'],
  ['0 0 0 1 1 *', 'Mars/Base', 'SETTING_INVALID', 'WEBSITE_TIME_ZONE is "Mars/Base"'],
])('%j in the zone %s is refused with %s: %s', (expression, zone, code, message) => {
  const error = errorOf(() => readTimerSchedule('f', expression, zone))
  expect(error).toMatchObject({ code, message: expect.stringContaining(message) as string })
})

test.each(['', 'No/Where', 'UTC0x', '../../etc/passwd', ':'])('the invalid TZ %j counts as UTC', (zone) => {
  vi.stubEnv('TZ', zone)
  const daily = readTimerSchedule('daily', '0 0 3 * * *', undefined)
  expect(daily.nextRun(new Date('2026-11-21T02:00:00Z'))?.toISOString()).toBe('2026-11-21T03:00:00.000Z')
})

test('a server without runTimers runs a timer by hand only', async () => {
  const run = vi.fn<(name: string) => Promise<void>>(async () => {})
  const start = (name: string, runTimers: boolean) =>
    startServer({ timers: [{ name, schedule: everySecond, run: () => run(name) }] }, { runTimers })
  const byHand = await start('by hand', false)
  await start('scheduled', true)
  await vi.waitFor(() => expect(run.mock.calls).toEqual([['scheduled']]), { timeout: 200_000, interval: 10 })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  await byHand.request('/admin/functions/by%20hand', init)
  expect(run.mock.calls).toContainEqual(['by hand'])
})

describe('A timer', () => {
  /** Its runs end when the test says so, on a clock that the test moves. */
  function timerUnderTest() {
    vi.useFakeTimers({ now: 0 })
    const ends: ((error?: Error) => void)[] = []
    const logs: LogLine[] = []
    const log = (line: LogLine) => void logs.push(line)
    const run = () =>
      new Promise<void>((resolve, reject) => ends.push((error) => (error === undefined ? resolve() : reject(error))))
    const timer = { name: 'tick', schedule: everySecond, run }
    const { start, ...rest } = createTimer(timer, 'UTC', createInvocations(60_000, log), log)
    start()
    return { ...rest, ends, logs, pass: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000) }
  }

  test('runs on its schedule until the stop, and goes on after a run that failed', async () => {
    const { run, stop, ends, logs, pass } = timerUnderTest()
    await pass(1)
    ends[0]?.(new Error('no luck'))
    await pass(1)
    expect(ends).toHaveLength(2)
    expect(logs).toMatchObject([{ level: 'error', message: 'Function "tick" failed: no luck' }])
    ends[1]?.()
    await pass(0)
    stop()
    run()
    await pass(5)
    expect(ends).toHaveLength(2)
  })

  test('does not overlap itself: an occurrence and a run by hand are skipped', async () => {
    const { run, ends, logs, pass } = timerUnderTest()
    await pass(2)
    run()
    const message = 'Timer function "tick" is still running: this occurrence is skipped.'
    expect(logs).toMatchObject([
      { level: 'warning', message },
      { level: 'warning', message },
    ])
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await pass(1)
    expect(ends).toHaveLength(2)
  })
})
