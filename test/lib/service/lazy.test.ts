import { expect, test } from 'vitest'
import { lazy } from '../../../src/lib/service/lazy.ts'

test('what was loaded is loaded once, also for those who ask at the same time', async () => {
  let loads = 0
  const load = lazy(async () => ++loads)
  expect(await Promise.all([load(), load()])).toEqual([1, 1])
  expect(await load()).toBe(1)
})

test('a load that failed is tried again by the next one who asks', async () => {
  let loads = 0
  const load = lazy(async () => {
    if (++loads === 1) throw new Error('EMFILE')
    return loads
  })
  await expect(load()).rejects.toThrow('EMFILE')
  expect(await load()).toBe(2)
})
