import { expect, test } from 'vitest'
import { ncrontabProblem } from '../../../src/lib/base/ncrontab.ts'

test.each([
  '* * * * * *',
  '59 59 23 31 12 6',
  '0  0\t6 * * 1-5',
  '0 0,30 9-17/2 1,15 Jan,jul MON-fri',
  '0 */5 * 10/10 * *',
])('%j is a six-field NCRONTAB expression', (schedule) => {
  expect(ncrontabProblem(schedule)).toBeUndefined()
})

test.each([
  ['', 'six fields'],
  ['*/15 * * * *', 'six fields'],
  ['0 0 0 1 1 * 2026', 'six fields'],
  ['60 * * * * *', 'second must be 0 to 59'],
  ['* * 24 * * *', 'hour must be 0 to 23'],
  ['* * * 0 * *', 'day must be 1 to 31'],
  ['* * * * 13 *', 'month must be 1 to 12'],
  ['* * * * * 7', 'day of week must be 0 to 6'],
  ['* * * * * 1#2', 'day of week must'],
  ['jan * * * * *', 'second must'],
  ['0 */0 * * * *', 'minute must'],
  ['0 1/2/3 * * * *', 'minute must'],
  ['0 1- * * * *', 'minute must'],
  ['0 1.5 * * * *', 'minute must'],
])('%j is not a schedule: %s', (schedule, problem) => {
  expect(ncrontabProblem(schedule)).toContain(problem)
})
