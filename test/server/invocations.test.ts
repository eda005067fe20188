import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createInvocations } from '../../src/server/invocations.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void

/** Bytes in the old generation once the young one has been emptied into it. */
function oldGeneration(): number {
  collect({ type: 'minor' })
  collect({ type: 'minor' })
  return getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0
}

test('what an invocation takes is free again without a full garbage collection', async () => {
  const invocations = createInvocations(60_000, () => undefined)
  const count = 1000
  const invokeAll = async () => {
    for (let left = count; left > 0; left--) await invocations.run('f', async ({ id }) => id)
  }
  await invokeAll()
  collect()
  const before = oldGeneration()
  await invokeAll()
  expect((oldGeneration() - before) / count).toBeLessThan(200)
})
