import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { singleFlightCache, type SingleFlightCacheOptions, unlessAborted } from '../../../src/lib/base/waiting.ts'

/** One piece of work under one key. */
const cacheOne = <T>(
  work: () => Promise<T>,
  ttlMs: (result: T) => number,
  options: SingleFlightCacheOptions<T> = {},
) => {
  const cache = singleFlightCache<T>({ ttlMs, ...options })
  return () => cache.get(work)
}

/** Work that counts its runs and ends when it is told to. */
function heldWork() {
  const ends: ((error?: Error) => void)[] = []
  const work = () =>
    new Promise<number>((resolve, reject) => {
      const run = ends.length + 1
      ends.push((error) => (error === undefined ? resolve(run) : reject(error)))
    })
  return { work, ends }
}

test('all who ask while work runs get its one result', async () => {
  const { work, ends } = heldWork()
  const ask = cacheOne(work, () => 0)
  const answers = [ask(), ask(), ask()]
  ends[0]?.()
  expect(await Promise.all(answers)).toEqual([1, 1, 1])
  expect(ends).toHaveLength(1)
})

test('a result is reused until its time has passed, and not a millisecond longer', async () => {
  let now = 1000
  let runs = 0
  const ask = cacheOne(
    async () => ++runs,
    (result) => result * 100,
    { now: () => now },
  )
  expect(await ask()).toBe(1)
  now = 1099
  expect(await ask()).toBe(1)
  now = 1100
  expect(await ask()).toBe(2)
  now = 1299
  expect(await ask()).toBe(2)
  now = 1300
  expect(await ask()).toBe(3)
})

test('with no time to reuse it, each question after the answer is new work', async () => {
  let runs = 0
  const ask = cacheOne(
    async () => ++runs,
    () => 0,
  )
  expect([await ask(), await ask()]).toEqual([1, 2])
})

test('a failure reaches all who wait and is not kept', async () => {
  const { work, ends } = heldWork()
  const ask = cacheOne(work, () => 60_000)
  const answers = [ask(), ask()]
  ends[0]?.(new Error('no'))
  expect(await Promise.allSettled(answers)).toEqual([
    { status: 'rejected', reason: new Error('no') },
    { status: 'rejected', reason: new Error('no') },
  ])
  const next = ask()
  ends[1]?.()
  expect(await next).toBe(2)
})

test('keys are apart, and the ones asked for longest ago are forgotten first', async () => {
  let runs = 0
  const cache = singleFlightCache<number>({ maxEntries: 2 })
  const ask = (key: string) => cache.get(async () => ++runs, key)
  expect([await ask('a'), await ask('b'), await ask('a')]).toEqual([1, 2, 1])
  expect([await ask('c'), await ask('b'), await ask('a')]).toEqual([3, 2, 4])
})

test('a clock that is set back or forward changes no age', async () => {
  const real = Date.now
  let runs = 0
  const ask = cacheOne(
    async () => ++runs,
    () => 60_000,
  )
  try {
    await ask()
    Date.now = () => real() + 10 * 86_400_000
    expect(await ask()).toBe(1)
    Date.now = () => real() - 10 * 86_400_000
    expect(await ask()).toBe(1)
  } finally {
    Date.now = real
  }
})

test('a result that is no longer trusted is reused for so much longer at most, and never longer than it was good', async () => {
  let now = 0
  let runs = 0
  const cache = singleFlightCache<number>({ ttlMs: 1000, now: () => now })
  const ask = () => cache.get(async () => ++runs)
  cache.shorten(0)
  expect(await ask()).toBe(1)
  cache.shorten(5000)
  cache.shorten(20)
  now = 19
  cache.shorten(20)
  expect(await ask()).toBe(1)
  now = 20
  expect(await ask()).toBe(2)
})

test('without a time to live a result stays; the next caller retries a failed load', async () => {
  let loads = 0
  const cache = singleFlightCache<number>()
  const load = () =>
    cache.get(async () => {
      if (++loads === 1) throw new Error('EMFILE')
      return loads
    })
  await expect(load()).rejects.toThrow('EMFILE')
  expect(await Promise.all([load(), load()])).toEqual([2, 2])
  expect(await load()).toBe(2)
})

test('a deleted key is loaded anew, and no other', async () => {
  let runs = 0
  const cache = singleFlightCache<number>()
  const ask = (key: string) => cache.get(async () => ++runs, key)
  expect([await ask('a'), await ask('b')]).toEqual([1, 2])
  cache.delete('a')
  expect([await ask('a'), await ask('b')]).toEqual([3, 2])
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
