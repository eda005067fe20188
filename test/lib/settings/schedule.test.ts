import { describe, expect, test } from 'vitest'
import { normaliseNcrontab } from '../../../src/server/timer/ncrontab.ts'
import { isSchedule } from '../../../src/lib/settings/schedule.ts'

const schedules = [
  '0 */15 * * * *',
  '* * * * * *',
  '0 0 0 1 1 *',
  '59 59 23 31 12 6',
  '0 0 0 * * 0',
  '0  0\t6 * * 1-5',
  '0 0 9-17/2 * * MON-fri',
  '0 0,30 8 1,15 Jan,jul Sun',
  '0 5/10 * * * *',
  '0 0 22-4 * * *',
]

describe('A six-field NCRONTAB expression', () => {
  test.each(schedules)('%j is one', (schedule) => {
    expect(isSchedule(schedule)).toBe(true)
  })

  test.each(schedules)('%j is one to the host as well', (schedule) => {
    expect(normaliseNcrontab(schedule).split(' ')).toHaveLength(6)
  })

  test.each([
    '',
    '*/15 * * * *',
    '0 0 0 1 1 * 2026',
    '60 * * * * *',
    '* 60 * * * *',
    '* * 24 * * *',
    '* * * 0 * *',
    '* * * 32 * *',
    '* * * * 0 *',
    '* * * * 13 *',
    '* * * * * 7',
    '* * * * foo *',
    '* * * * * xyz',
    'jan * * * * *',
    '0 */0 * * * *',
    '0 */ * * * *',
    '0 /5 * * * *',
    '0 1/2/3 * * * *',
    '0 1-2-3 * * * *',
    '0 -1 * * * *',
    '0 1- * * * *',
    '0 1, * * * *',
    '0 , * * * *',
    '0 1.5 * * * *',
    '0 001 * * * *',
    '0 0 * * * ?',
    '0 0 L * * *',
    '@hourly',
    '00:15:00',
    '%SMOKE_TEST_SCHEDULE%',
    '0 0 * * * *; rm',
  ])('%j is none', (text) => {
    expect(isSchedule(text)).toBe(false)
  })

  test('a megabyte of text is judged at once', () => {
    const started = performance.now()
    for (const character of [' ', ',', '-', '/', '*', '1']) isSchedule(character.repeat(1_000_000))
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
