import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test, vi } from 'vitest'
import { openCredential } from '../../../src/lib/auth/credential.ts'
import { createCredentialPlan, scopeFor } from '../../../src/lib/index.ts'
import { useEnclave } from '../../support/use-enclave.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const running = useEnclave({ clientSecret: 'the-secret-before-its-rotation', tokenLifetimeSeconds: 660 })
const directory = useTemporaryDirectory()
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const minute = 60_000

/** Bytes of the heap after a full collection. */
function heap(): number {
  running.cloud.clearRequests()
  collect()
  return process.memoryUsage().heapUsed
}

test('an hour of two callers a second: an outage of 5 minutes and a rotated secret fail no call, and nothing grows', async () => {
  const { cloud } = running
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  // A process renews at a random moment. With this one, a renewal falls into the outage and another into the rotation.
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const path = directory.write('secret', 'the-secret-before-its-rotation')
  const { PLATFORM_CLIENT_SECRET: rotated = '', ...env } = cloud.environment('clientSecret')
  let [started, ended, failed] = [0, 0, 0]
  const plan = createCredentialPlan(cloud.profile, { ...env, PLATFORM_CLIENT_SECRET_PATH: path })
  const planOf = () => {
    started++
    return plan
  }
  const credential = openCredential(planOf, {
    onEnd({ cached, code }) {
      if (cached) return
      ended++
      if (code !== undefined) failed++
    },
  })
  const events: Readonly<Record<number, () => unknown>> = {
    20: () => cloud.setFault({ kind: 'status-503' }, 'login/token'),
    25: () => cloud.setFault(undefined),
    // The authority knows the new secret only, and the file has it 4 minutes later.
    40: () => directory.write('secret', 'a-secret-that-is-no-longer-valid'),
    44: () => directory.write('secret', rotated),
  }
  const isRenewing = () => ended < started
  const start = Date.now()
  const tokens = new Map<string, number>()
  const failuresAt: number[] = []
  let warm = 0
  for (let second = 0; second < 3600; second++) {
    if (second % 60 === 0) await events[second / 60]?.()
    if (second % 60 === 0) failuresAt.push(failed)
    if (second === 600) warm = heap()
    const found = await Promise.all([0, 1].map(() => credential.getToken(scopeFor(cloud.resourceManagerAudience))))
    for (const { token, expiresOnTimestamp } of found) {
      expect(expiresOnTimestamp).toBeGreaterThan(Date.now())
      tokens.set(token, second)
    }
    // A renewal takes a moment, in which the clock stands still here.
    while (isRenewing()) await new Promise((resolve) => setTimeout(resolve, 1))
    vi.advanceTimersByTime(1000)
  }
  expect(Date.now() - start).toBe(60 * minute)
  const [outage, rotation] = [
    (failuresAt[25] ?? 0) - (failuresAt[20] ?? 0),
    (failuresAt[44] ?? 0) - (failuresAt[40] ?? 0),
  ]
  // Both were noticed, by one attempt in 20 s at most.
  expect({ outage, rotation, others: failed - outage - rotation }).toEqual({
    outage: expect.toSatisfy((count: number) => count > 0 && count <= 15),
    rotation: expect.toSatisfy((count: number) => count > 0 && count <= 12),
    others: 0,
  })
  expect(tokens.size).toBeGreaterThanOrEqual(8)
  // A token of 11 minutes is renewed after 3 minutes at the earliest.
  expect(started).toBeLessThanOrEqual(1 + 60 / 3 + outage + rotation)
  expect(heap() - warm).toBeLessThan(4_000_000)
})
