import { describe, expect, test } from 'vitest'
import { ncrontabProblem } from '../../../src/lib/base/ncrontab.ts'
import { defaultSchedule } from '../../../src/lib/settings/default-schedule.ts'
import { readSettings } from '../../../src/lib/settings/settings.ts'

/** Seconds after the quarter of an hour, and how often an hour. */
function offsetOf(schedule: string): readonly [offset: number, runs: number] {
  const [second = '', minutes = ''] = schedule.split(' ')
  const all = minutes.split(',').map(Number)
  return [(all[0] ?? 0) * 60 + Number(second), new Set(all.map((minute) => minute % 15)).size === 1 ? all.length : 0]
}

/** How many of the names run in each second of a quarter of an hour. */
function loadOf(names: readonly string[]): number[] {
  const seconds = Array.from({ length: 900 }, () => 0)
  for (const name of names) {
    const [offset] = offsetOf(defaultSchedule({ WEBSITE_SITE_NAME: name }).schedule)
    seconds[offset] = (seconds[offset] ?? 0) + 1
  }
  return seconds
}

describe('The default schedule', () => {
  test('is every 15 minutes, at a separate offset', () => {
    for (let index = 0; index < 1000; index++) {
      const { schedule } = defaultSchedule({ WEBSITE_SITE_NAME: `site-${index}` })
      const [offset, runs] = offsetOf(schedule)
      expect([ncrontabProblem(schedule), runs, offset >= 0 && offset < 900]).toEqual([undefined, 4, true])
    }
  })

  test.each<[string, (index: number) => string]>([
    ['numbered sites', (index) => `cloud-profile-${index}`],
    ['pods of one deployment', (index) => `cloud-profile-7d9f8b6c4d-${(index * 7919).toString(36).padStart(5, 'a')}`],
    ['machines of a rack', (index) => `ip-10-0-${index >> 8}-${index & 255}`],
  ])('of 10,000 %s has no second with more than 4 times the mean', (_what, nameOf) => {
    const names = Array.from({ length: 10_000 }, (_each, index) => nameOf(index))
    expect(new Set(names).size).toBe(10_000)
    const load = loadOf(names)
    expect(Math.max(...load)).toBeLessThanOrEqual(4 * (10_000 / 900))
  })

  test('is that of the site for all its workers, else that of the host', () => {
    const site = defaultSchedule({ WEBSITE_SITE_NAME: 'one' }, () => 'worker-1')
    expect(site).toEqual(defaultSchedule({ WEBSITE_SITE_NAME: 'one' }, () => 'worker-2'))
    expect(site.derivedFrom).toBe('WEBSITE_SITE_NAME')
    expect(defaultSchedule({}, () => 'one')).toEqual({ ...site, derivedFrom: 'the host name' })
  })

  test('gives way to SMOKE_TEST_SCHEDULE', () => {
    const env = { WEBSITE_SITE_NAME: 'one' }
    expect(readSettings(env).smokeTestSchedule).toBe(defaultSchedule(env).schedule)
    expect(readSettings({ ...env, SMOKE_TEST_SCHEDULE: '0 0 6 * * *' }).smokeTestSchedule).toBe('0 0 6 * * *')
  })
})
