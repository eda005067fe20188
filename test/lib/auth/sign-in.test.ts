import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openCredential } from '../../../src/lib/auth/credential.ts'
import { createCredentialPlan } from '../../../src/lib/index.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const minute = 60_000

describe.each([false, true])('A person (federation service: %s)', (federationService) => {
  const running = useEnclave({ federationService })
  let prompts = 0
  beforeEach(() => {
    prompts = 0
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  })
  afterEach(() => vi.useRealTimers())

  const open = (decide: 'approve' | 'decline' = 'approve') => {
    const { cloud } = running
    const plan = createCredentialPlan(cloud.profile, cloud.environment('deviceCode'))
    cloud.clearRequests()
    return openCredential(plan, {
      onPrompt({ userCode }) {
        prompts++
        // The tokens of the new sign-in are good.
        void cloud.setFault(undefined)
        if (decide === 'approve') cloud.approveDeviceCode(userCode)
        else cloud.declineDeviceCode(userCode)
      },
    })
  }
  const scopes = () => {
    const { arm, storage, keyVault } = running.cloud.profile.serviceAudiences
    return [arm, storage, keyVault].map((each) => `${each}.default`)
  }
  const issued = () =>
    running.cloud.requests.filter(({ path, status }) => path.endsWith('/token') && status === 200).length
  const settled = () =>
    vi.waitFor(() => expect(running.cloud.requests.every(({ status }) => status !== undefined)).toBe(true))

  test('signs in once for scopes that are requested one after the other, and at the same time', async () => {
    const one = open()
    for (const scope of scopes()) await one.getToken(scope)
    expect([prompts, issued()]).toEqual([1, 3])
    const other = open()
    const tokens = await Promise.all(scopes().map((scope) => other.getToken(scope)))
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(3)
    expect([prompts, issued()]).toEqual([2, 3])
  })

  test('is not asked again in two hours with renewals and two outages, one beyond the expiry of every token', async () => {
    const credential = open()
    const get = () => Promise.allSettled(scopes().map((scope) => credential.getToken(scope)))
    await get()
    for (let passed = 0; passed < 120; passed += 5) {
      const isOut = passed === 10 || (passed >= 30 && passed < 100)
      await running.cloud.setFault(isOut ? { kind: 'status-503' } : undefined, 'login')
      vi.advanceTimersByTime(5 * minute)
      await get()
      await settled()
    }
    for (const outcome of await get()) expect(outcome).toMatchObject({ status: 'fulfilled' })
    expect(prompts).toBe(1)
  })

  test('is asked once more if the authority ends the sign-in, and only for a caller who waits', async () => {
    const credential = open()
    const get = () => Promise.all(scopes().map((scope) => credential.getToken(scope)))
    const before = await get()
    const refused = { kind: 'aadsts', number: 700_082, error: 'invalid_grant' } as const
    await running.cloud.setFault(refused, 'login/token')
    vi.advanceTimersByTime(57 * minute)
    expect(await get()).toEqual(before)
    await settled()
    expect(prompts).toBe(1)
    vi.advanceTimersByTime(4 * minute)
    await get()
    expect(prompts).toBe(2)
  })

  test('who declines is asked once for all who wait', async () => {
    const credential = open('decline')
    for (const outcome of await Promise.allSettled(scopes().map((scope) => credential.getToken(scope))))
      expect(outcome).toMatchObject({ reason: { code: 'DEVICE_CODE_DECLINED' } })
    expect(prompts).toBe(1)
  })

  test('signs in for others who wait, if the first of them gives up', async () => {
    const credential = open()
    const [first = '', second = ''] = scopes()
    const controller = new AbortController()
    const left = credential.getToken(first, { abortSignal: controller.signal })
    const kept = credential.getToken(second)
    controller.abort()
    await expect(left).rejects.toMatchObject({ code: 'TOKEN_CANCELLED' })
    await kept
    expect(prompts).toBe(1)
  })
})
