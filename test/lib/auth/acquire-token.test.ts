import { expect, test } from 'vitest'
import { requireUsable } from '../../../src/lib/auth/acquire-token.ts'

const year = 31_557_600_000

test.each([0, Date.now(), Date.now() + 90 * year])('a token that ends at %d is usable', (expiresOnTimestamp) => {
  expect(requireUsable({ token: 't', expiresOnTimestamp })).toMatchObject({ token: 't', expiresOnTimestamp })
})

test.each([
  // A Date cannot represent these.
  ...[Number.NaN, Infinity, -1, 8.64e15, 1e17, Date.now() + 101 * year].map(
    (expiresOnTimestamp) => [{ token: 't', expiresOnTimestamp }, 'invalid expiry'] as const,
  ),
  [null, 'returned no token'] as const,
  [{ token: '', expiresOnTimestamp: Date.now() }, 'returned no token'] as const,
])('%j is not: %s', (found, problem) => {
  expect(() => requireUsable(found)).toThrow(problem)
})
