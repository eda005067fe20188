import { setImmediate as immediate } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { createTurns } from '../../../src/server/http/turns.ts'

/** Longer than a turn may take. */
function work(): void {
  const began = performance.now()
  while (performance.now() - began < 6);
}

test('work begins at once while a turn of the event loop is young', () => {
  const turns = createTurns()
  expect(turns.next()).toBeUndefined()
  work()
  expect(turns.next()).toBeInstanceOf(Promise)
})

test('what waits begins one by one, each in a separate turn', async () => {
  const turns = createTurns()
  const begun: number[] = []
  void turns.next()
  work()
  for (const index of [1, 2, 3]) void turns.next()?.then(() => begun.push(index))
  const seen: string[] = []
  while (begun.length < 3) {
    await immediate()
    seen.push(begun.join())
  }
  expect([...new Set(seen)].filter((each) => each !== '')).toEqual(['1', '1,2', '1,2,3'])
  await immediate()
  expect(turns.next()).toBeUndefined()
})

test('a turn that accepts a connection begins no work, up to eight times in a row', async () => {
  const turns = createTurns()
  const begun: number[] = []
  void turns.next()
  work()
  void turns.next()?.then(() => begun.push(1))
  for (let turn = 0; turn < 8; turn++) {
    turns.accepted()
    await immediate()
  }
  expect(begun).toEqual([])
  for (let turn = 0; turn < 2; turn++) {
    turns.accepted()
    await immediate()
  }
  expect(begun).toEqual([1])
})
