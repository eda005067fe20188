import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { toAbortSignal, unlessAborted } from '../../../src/lib/base/waiting.ts'

test('work that ends in time gives its result, and leaves no listener behind', async () => {
  const { signal } = new AbortController()
  expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('work that never ends is given up when the signal aborts, also when it did before', async () => {
  const controller = new AbortController()
  const waiting = unlessAborted(new Promise(() => {}), controller.signal)
  controller.abort()
  for (const each of [waiting, unlessAborted(new Promise(() => {}), controller.signal)])
    await expect(each).rejects.toMatchObject({ name: 'AbortError' })
})

test("the signal of a library becomes the platform's, with its reason, before and after it aborts", () => {
  const given = Object.assign(new EventTarget(), { aborted: false, reason: 'stopped' })
  const signal = toAbortSignal(given)
  expect(signal.aborted).toBe(false)
  given.dispatchEvent(new Event('abort'))
  expect([signal.aborted, signal.reason]).toEqual([true, 'stopped'])
  expect(toAbortSignal(Object.assign(given, { aborted: true })).reason).toBe('stopped')
  expect(toAbortSignal(signal)).toBe(signal)
})
