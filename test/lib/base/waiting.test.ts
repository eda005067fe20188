import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { loadOnce, unlessAborted } from '../../../src/lib/base/waiting.ts'

test('concurrent callers share one load, and its result stays', async () => {
  let loads = 0
  const load = loadOnce(async () => ++loads)
  expect(await Promise.all([load(), load()])).toEqual([1, 1])
  expect(await load()).toBe(1)
})

test('a failed load reaches all who wait, and the next caller tries again', async () => {
  let loads = 0
  const load = loadOnce(async () => {
    if (++loads === 1) throw new Error('EMFILE')
    return loads
  })
  const failed = { status: 'rejected', reason: new Error('EMFILE') }
  expect(await Promise.allSettled([load(), load()])).toEqual([failed, failed])
  expect(await load()).toBe(2)
})

test('work that ends in time gives its result, and leaves no listener behind', async () => {
  const { signal } = new AbortController()
  expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('work that never ends is given up when the signal aborts, also when it did before', async () => {
  const controller = new AbortController()
  const waiting = unlessAborted(new Promise(() => {}), controller.signal)
  controller.abort()
  await expect(waiting).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  await expect(unlessAborted(new Promise(() => {}), controller.signal)).rejects.toThrow(
    expect.objectContaining({ name: 'AbortError' }),
  )
})
