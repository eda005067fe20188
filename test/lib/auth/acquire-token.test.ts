import { expect, test } from 'vitest'
import { requireUsable } from '../../../src/lib/auth/acquire-token.ts'

const year = 31_557_600_000

test.each([0, Date.now(), Date.now() + 90 * year])('a token that ends at %d is usable', (expiresOnTimestamp) => {
  expect(requireUsable({ token: 't', expiresOnTimestamp })).toMatchObject({ token: 't', expiresOnTimestamp })
})

test.each([Number.NaN, Infinity, -1, 8.64e15, 1e17, Date.now() + 101 * year])(
  'one that ends at %d is not: no date further on could hold it',
  (expiresOnTimestamp) => {
    expect(() => requireUsable({ token: 't', expiresOnTimestamp })).toThrow('invalid expiry')
  },
)

test.each([null, { token: '', expiresOnTimestamp: Date.now() }])('%j is no token', (found) => {
  expect(() => requireUsable(found)).toThrow('returned no token')
})
