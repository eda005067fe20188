import { expect, test } from 'vitest'
import { lookUp } from '../../../src/lib/transport/host-lookup.ts'

test('the addresses of a name are shared for five seconds, and then looked up again', async () => {
  let now = 0
  const clock = () => now
  const addresses = await lookUp('127.0.0.77', clock)
  now = 4999
  expect(await lookUp('127.0.0.77', clock)).toBe(addresses)
  now = 5001
  expect(await lookUp('127.0.0.77', clock)).not.toBe(addresses)
})
