import { expect, test } from 'vitest'
import { Attempt, responseTimeoutMs } from '../../../src/lib/transport/attempt.ts'
import { connectionOptions } from '../../../src/lib/transport/proxy-connection.ts'

test.each([
  [undefined, 5000],
  [9000, 5000],
  [60_000, 30_000],
])('a deadline of %s ms leaves one response %i ms, so that a slow link needs one setting', (deadline, expected) => {
  expect(responseTimeoutMs(deadline)).toBe(expected)
})

// Where a round trip takes 400 ms, the 250 ms of Node connect to no host whose other family is silent.
test.each([
  [10_000, 1500],
  [2000, 1000],
])('within %i ms each address of a name has %i ms to connect', (timeoutMs, expected) => {
  const attempt = new Attempt({ timeoutMs })
  expect(connectionOptions(attempt).autoSelectFamilyAttemptTimeout).toBe(expected)
})
