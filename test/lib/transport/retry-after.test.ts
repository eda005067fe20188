import { expect, test } from 'vitest'
import { retryAfterOf, retryAfterSeconds } from '../../../src/lib/transport/retry-after.ts'

const now = Date.parse('2026-11-21T00:00:00Z')

test.each([
  [undefined, undefined],
  ['', undefined],
  ['0', 0],
  ['3', 3000],
  ['1.5', 1500],
  ['-5', 0],
  ['soon', undefined],
  ['Infinity', undefined],
  ['Sat, 21 Nov 2026 00:00:30 GMT', 30_000],
  ['Fri, 20 Nov 2026 00:00:00 GMT', 0],
])('Retry-After %j is %j ms', (value, expected) => {
  expect(retryAfterOf(value, now)).toBe(expected)
})

test.each([
  ['2.2', '3'],
  ['Fri, 20 Nov 2026 00:00:00 GMT', '0'],
  ['</title>', undefined],
])('the evidence of Retry-After %j is %j seconds, never its own text', (value, expected) => {
  expect(retryAfterSeconds(value)).toBe(expected)
})
