import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createInvocations } from '../../src/server/invocations.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('each invocation is abandoned at its own deadline, and an ended one never', async () => {
  const abandoned: string[] = []
  const invocations = createInvocations(100, ({ name = '' }) => abandoned.push(name))
  const begin = (name: string, ms = Infinity) =>
    invocations
      .run(name, () => new Promise((resolve) => ms < Infinity && setTimeout(resolve, ms)))
      .catch(() => undefined)
  void begin('first')
  void begin('short', 50)
  await vi.advanceTimersByTimeAsync(60)
  void begin('second')
  expect(invocations.count()).toBe(2)
  await vi.advanceTimersByTimeAsync(50)
  expect(abandoned).toEqual(['first'])
  await vi.advanceTimersByTimeAsync(60)
  expect(abandoned).toEqual(['first', 'second'])
  expect(invocations.count()).toBe(0)
  // No timer is left, and the next invocation starts one.
  void begin('third')
  await vi.advanceTimersByTimeAsync(110)
  expect(abandoned).toEqual(['first', 'second', 'third'])
})
