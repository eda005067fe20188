import { expect, test } from 'vitest'
import { keep, type KeepOptions } from '../../../src/lib/transport/keep.ts'

/** One piece of work under one key. */
const keepOne = <T>(work: () => Promise<T>, goodForMs: (result: T) => number, options: KeepOptions = {}) => {
  const kept = keep<T>(goodForMs, options)
  return () => kept.get('', work)
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
  const ask = keepOne(work, () => 0)
  const answers = [ask(), ask(), ask()]
  ends[0]?.()
  expect(await Promise.all(answers)).toEqual([1, 1, 1])
  expect(ends).toHaveLength(1)
})

test('a result is reused until its time is over, and not a millisecond longer', async () => {
  let now = 1000
  let runs = 0
  const ask = keepOne(
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
  const ask = keepOne(
    async () => ++runs,
    () => 0,
  )
  expect([await ask(), await ask()]).toEqual([1, 2])
})

test('a failure reaches all who wait and is not kept', async () => {
  const { work, ends } = heldWork()
  const ask = keepOne(work, () => 60_000)
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
  const kept = keep<number>(() => 60_000, { most: 2 })
  const ask = (key: string) => kept.get(key, async () => ++runs)
  expect([await ask('a'), await ask('b'), await ask('a')]).toEqual([1, 2, 1])
  expect([await ask('c'), await ask('b'), await ask('a')]).toEqual([3, 2, 4])
})

test('a clock that is set back or forward changes no age', async () => {
  const real = Date.now
  let runs = 0
  const ask = keepOne(
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
  const kept = keep<number>(() => 1000, { now: () => now })
  const ask = () => kept.get('', async () => ++runs)
  kept.shorten('', 0)
  expect(await ask()).toBe(1)
  kept.shorten('', 5000)
  kept.shorten('', 20)
  now = 19
  kept.shorten('', 20)
  expect(await ask()).toBe(1)
  now = 20
  expect(await ask()).toBe(2)
})
