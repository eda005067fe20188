import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openCredential } from '../../../src/lib/auth/credential.ts'
import type { CredentialPlan } from '../../../src/lib/auth/credential-plan.ts'
import { createCredentialPlan, scopeFor } from '../../../src/lib/index.ts'
import { useEnclave } from '../../support/use-enclave.ts'

describe('one deadline', () => {
  const running = useEnclave({ deviceCode: { lifetimeSeconds: 2 } })
  const tokenOf = (plan: CredentialPlan, timeoutMs = 600) =>
    openCredential(plan, { timeoutMs }).getToken(scopeFor(running.cloud.resourceManagerAudience))
  beforeAll(async () => {
    // Loads the library, which must not take from a short deadline.
    await tokenOf(createCredentialPlan(running.cloud.profile, running.cloud.environment('clientSecret')), 120_000)
  })
  afterEach(() => vi.unstubAllEnvs())
  const identity = () => running.cloud.environment('managedIdentity', running.files)
  const chainOf = (env: Readonly<Record<string, string>>) =>
    createCredentialPlan(running.cloud.profile, { ...env, AUTH_MODE: 'default', PATH: '/nowhere' })

  test('holds for the whole default chain, however many of its members hang', async () => {
    for (const target of ['login', 'managed-identity'] as const)
      await running.cloud.setFault({ kind: 'silent' }, target)
    const plan = chainOf({ ...running.cloud.environment('clientSecret'), ...identity() })
    const modes = plan.mode === 'default' && plan.chain.map(({ mode }) => mode)
    expect(modes).toEqual(['clientSecret', 'managedIdentity', 'platformCli'])
    await expect(tokenOf(plan)).rejects.toMatchObject({ code: 'AUTHORITY_TIMEOUT' })
  })

  test('names the member that used it up, not a missing credential', async () => {
    await running.cloud.setFault({ kind: 'silent' }, 'managed-identity')
    for (const [name, value] of Object.entries(identity())) vi.stubEnv(name, value)
    await expect(tokenOf(chainOf(identity()))).rejects.toMatchObject({ code: 'IDENTITY_ENDPOINT_TIMEOUT' })
  })

  test('moves only with the person of its sign-in', async () => {
    const { cloud: enclave } = running
    const plan = createCredentialPlan(enclave.profile, enclave.environment('deviceCode'))
    const credential = openCredential(plan, { timeoutMs: 30_000 })
    const [first, second] = [new AbortController(), new AbortController()]
    const asked = [first, second].map(({ signal: abortSignal }) =>
      credential.getToken(scopeFor(enclave.resourceManagerAudience), { abortSignal }),
    )
    await enclave.waitForRequest(({ path }) => path.endsWith('/devicecode'))
    first.abort()
    await expect(asked[0]).rejects.toMatchObject({ code: 'TOKEN_CANCELLED' })
    await expect(asked[1]).rejects.toMatchObject({ code: 'DEVICE_CODE_EXPIRED' })
  })
})
