import { expect, test } from 'vitest'
import { createTokenCache } from '../../../src/lib/auth/token-cache.ts'
import { createEgressPolicy } from '../../../src/lib/transport/egress.ts'
import { createGuardedClient } from '../../../src/lib/transport/guarded-client.ts'
import { memoryClient, requestOf } from '../transport/memory-client.ts'

const instances = 500
const authority = 'https://login.test/'

/** The largest number of times in one window, as a multiple of the mean of all windows. */
function peakOf(times: readonly number[], from: number, to: number, window: number): number {
  const windows = Math.floor((to - from) / window)
  const indexes = times.map((time) => Math.floor((time - from) / window)).filter((index) => index < windows)
  const counts = Map.groupBy(indexes, (index) => index)
  return (Math.max(...[...counts.values()].map(({ length }) => length)) * windows) / indexes.length
}

test('500 instances that start in the same second renew their tokens at no more than 3 times the mean rate', async () => {
  let now = 0
  const asked: number[] = []
  let state = 1
  /** The same numbers each time (Lehmer). */
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  const fleet = Array.from({ length: instances }, () => createTokenCache({ wall: () => now, now: () => now, random }))
  const acquire = async () => {
    asked.push(now / 1000)
    return { token: 't', expiresOnTimestamp: now + 3_600_000 }
  }
  // A virtual clock: each instance is asked twice a minute, as its page and its metrics are.
  for (now = 0; now < 10_800_000; now += 30_000) await Promise.all(fleet.map((each) => each.outcome('scope', acquire)))
  const renewed = asked.filter((time) => time > 0)
  // The last refresh point is five minutes before the end of the token.
  expect(renewed.length).toBeGreaterThan(instances * 3)
  expect(renewed.filter((time) => time <= 3300).length).toBeGreaterThanOrEqual(instances)
  expect(peakOf(renewed, Math.min(...renewed), 10_800, 60)).toBeLessThanOrEqual(3)
})

test.each([
  [{ status: 503 }, 200, 400],
  [{ status: 429, headers: { 'retry-after': '1' } }, 1000, 2000],
  [{ status: 503, headers: { 'retry-after': '2' } }, 2000, 4000],
])(
  '500 instances that the authority refuses at once (%j) retry at no more than 3 times the mean rate',
  async (refusal, from, to) => {
    const delays: number[] = []
    const egress = createEgressPolicy({ AUTHORITY: [authority] })
    const fleet = Array.from({ length: instances }, () => {
      const inner = memoryClient({ body: {}, ...refusal }, { body: { access_token: 't', expires_in: 3600 } })
      return createGuardedClient({ egress, inner, wait: async (ms) => void delays.push(ms) })
    })
    await Promise.all(fleet.map((each) => each.sendRequest(requestOf(`${authority}t/oauth2/v2.0/token`))))
    expect(delays).toHaveLength(instances)
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(from)
    expect(Math.max(...delays)).toBeLessThanOrEqual(to)
    expect(peakOf(delays, from, to, (to - from) / 10)).toBeLessThanOrEqual(3)
  },
)
