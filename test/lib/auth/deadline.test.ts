import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openCredential } from '../../../src/lib/auth/credential.ts'
import { createCredentialPlan, scopeFor } from '../../../src/lib/index.ts'
import { Attempt } from '../../../src/lib/transport/attempt.ts'
import { useEnclave } from '../../support/use-enclave.ts'
import { attempt } from './enclave-attempts.ts'

describe('one deadline', () => {
  const running = useEnclave({ deviceCode: { lifetimeSeconds: 2 } })
  let silent: Server
  beforeAll(async () => {
    silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    // Loads the library, which must not take from a short deadline.
    await attempt(running, 'clientSecret')
  })
  afterEach(() => vi.unstubAllEnvs())
  afterAll(() => silent.close())

  test('holds for the whole default chain, however many of its members hang', async () => {
    const { cloud: enclave } = running
    const silentHost = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const plan = createCredentialPlan(
      { ...enclave.profile, authorityHost: `https://127.0.0.1:${(silent.address() as AddressInfo).port}/` },
      { ...enclave.environment('clientSecret'), AUTH_MODE: 'default', IDENTITY_ENDPOINT: silentHost, PATH: '/nowhere' },
    )
    expect(plan.mode === 'default' && plan.chain.map(({ mode }) => mode)).toEqual([
      'clientSecret',
      'managedIdentity',
      'platformCli',
    ])
    const started = performance.now()
    const asked = openCredential(plan, { timeoutMs: 600 }).getToken(scopeFor(enclave.resourceManagerAudience))
    await expect(asked).rejects.toMatchObject({ code: 'AUTHORITY_TIMEOUT' })
    expect(performance.now() - started).toBeLessThan(45_000)
  })

  test('names the member that used it up, not a missing credential', async () => {
    const { cloud: enclave } = running
    const IDENTITY_ENDPOINT = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    vi.stubEnv('IDENTITY_ENDPOINT', IDENTITY_ENDPOINT)
    vi.stubEnv('IDENTITY_HEADER', 'header')
    const env = { AUTH_MODE: 'default', IDENTITY_ENDPOINT, PATH: '/nowhere' }
    const credential = openCredential(createCredentialPlan(enclave.profile, env), { timeoutMs: 600 })
    const started = performance.now()
    const asked = credential.getToken(scopeFor(enclave.resourceManagerAudience))
    await expect(asked).rejects.toMatchObject({ code: 'IDENTITY_ENDPOINT_TIMEOUT' })
    expect(performance.now() - started).toBeLessThan(45_000)
  })

  test('moves only with the person of its sign-in', async () => {
    const { cloud: enclave } = running
    const plan = createCredentialPlan(enclave.profile, enclave.environment('deviceCode'))
    const credential = openCredential(plan, { timeoutMs: 30_000 })
    const ask = (abortSignal: AbortSignal) =>
      credential.getToken(scopeFor(enclave.resourceManagerAudience), { abortSignal })
    const [first, second] = [new AbortController(), new AbortController()]
    const asked = [ask(first.signal), ask(second.signal)]
    await enclave.waitForRequest(({ path }) => path.endsWith('/devicecode'))
    first.abort()
    await expect(asked[0]).rejects.toMatchObject({ code: 'TOKEN_CANCELLED' })
    await expect(asked[1]).rejects.toMatchObject({ code: 'DEVICE_CODE_EXPIRED' })
  })

  test('of a code that lives longer than a timer can wait does not end at once', async () => {
    const attempt = new Attempt({ timeoutMs: 1000 })
    const work = attempt.run(async () => {
      attempt.prompt({ userCode: 'A', verificationUri: 'https://x.test/', expiresOnTimestamp: Date.now() + 3e12 })
      await new Promise((resolve) => setTimeout(resolve, 50))
      return attempt.signal.aborted
    })
    expect(await work).toBe(false)
  })
})
