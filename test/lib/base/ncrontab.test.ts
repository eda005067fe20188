import { describe, expect, test } from 'vitest'
import { isNcrontab, parseNcrontab } from '../../../src/lib/base/ncrontab.ts'
import { startCpuTime } from '../../support/cpu-time.ts'

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
  '0 0 9 * * Monday',
  '0 0 9 1 March *',
  '0 001 * * * *',
]

describe('A six-field NCRONTAB expression', () => {
  test.each(schedules)('%j is one', (schedule) => {
    expect(isNcrontab(schedule)).toBe(true)
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
    '0 0 * * * ?',
    '0 0 L * * *',
    '@hourly',
    '00:15:00',
    '%SMOKE_TEST_SCHEDULE%',
    '0 0 * * * *; rm',
  ])('%j is not one', (text) => {
    expect(isNcrontab(text)).toBe(false)
  })

  test('a megabyte of text is judged at once', () => {
    const cpuTime = startCpuTime()
    for (const character of [' ', ',', '-', '/', '*', '1']) isNcrontab(character.repeat(1_000_000))
    expect(cpuTime()).toBeLessThan(2000)
  })
})

test.each([
  ['* * * * * *', '* * * * * *'],
  ['0-59 */1 0-23 1-31 1-12 0-6', '* * * * * *'],
  ['5,3,4 0 0 1 1 mon', '3-5 0 0 1 1 1'],
  ['0 0 0 10/10 M *', '0 0 0 10,20,30 3 *'],
  ['1-10/3 0 0 1 1 t', '1,4,7,10 0 0 1 1 2'],
])('%s is %s', (expression, expected) => {
  expect(parseNcrontab(expression)).toBe(expected)
})
