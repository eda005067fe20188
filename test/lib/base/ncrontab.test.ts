import { expect, test } from 'vitest'
import { ncrontabProblem, occursInEachMonth, parseNcrontab } from '../../../src/lib/base/ncrontab.ts'

const never = (day: number) => `it never occurs, because its months have no day ${day}`

test.each<[schedule: string, problem?: string]>([
  ['* * * * * *'],
  ['59 59 23 31 12 6'],
  ['0  0\t6 * * 1-5'],
  ['0 0,30 9-17/2 1,15 Jan,jul MON-fri'],
  ['0 0 22-4 * * *'],
  // In some years only.
  ['0 0 0 29 2 *'],
  ['0 0 0 29 2 MON'],
  ['0 0 0 29-31 2 *'],
  ['0 0 0 31 2-3 *'],
  ['0 0 0 30 4 *'],
  ['0 0 0 1 1 1'],
  ['0 0 0 31 2 *', never(31)],
  ['0 0 0 30,31 2 *', never(30)],
  ['0 0 0 31 2,4,6,9,11 *', never(31)],
  ...[
    '',
    '*/15 * * * *',
    '0 0 0 1 1 * 2026',
    '60 * * * * *',
    '* * 24 * * *',
    '* * * 0 * *',
    '* * * * 13 *',
    '* * * * * 7',
    '* * * * foo *',
    'jan * * * * *',
    '0 */0 * * * *',
    '0 /5 * * * *',
    '0 1/2/3 * * * *',
    '0 1- * * * *',
    '0 1, * * * *',
    '0 1.5 * * * *',
    '@hourly',
  ].map((text): [string, string] => [text, expect.any(String) as string]),
])('%j is a six-field NCRONTAB expression that occurs, but for %j', (schedule, problem) => {
  expect(ncrontabProblem(schedule)).toEqual(problem)
})

test.each([
  ['0 0 0 1-7 * MON', true],
  ['0 0 0 31 * *', true],
  ['0 0 0 22-31 * 5', true],
  ['0 0 0 1 * MON', false],
  ['0 0 0 1-6 * MON', false],
  ['0 0 0 29 2 MON', false],
])('%s: a day and a day of week match in every month is %s', (expression, matches) => {
  expect(occursInEachMonth(expression)).toBe(matches)
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
