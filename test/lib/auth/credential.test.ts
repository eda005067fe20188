import { afterEach, describe, expect, test, vi } from 'vitest'
import { createCredentialPlan } from '../../../src/lib/index.ts'
import { openCredential } from '../../../src/lib/auth/credential.ts'
import { scopeFor } from '../../../src/lib/profile/endpoints.ts'
import { errorOf } from '../../support/error-of.ts'
import { useEnclave } from '../../support/use-enclave.ts'

describe('a credential', () => {
  const running = useEnclave()
  afterEach(() => vi.unstubAllEnvs())
  const create = () => {
    const { cloud: enclave } = running
    return openCredential(createCredentialPlan(enclave.profile, enclave.environment('clientSecret')))
  }
  const scope = () => scopeFor(running.cloud.resourceManagerAudience)

  test('that is distrusted or dropped leaves no connection behind, and shares the connections of the process', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const openSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
    const shared = create()
    const round = async () => {
      expect(await shared.outcome(scope())).toMatchObject({ status: 'acquired', cached: false })
      shared.limitReuse()
      // A distrusted token is reused for 20 s.
      vi.advanceTimersByTime(21_000)
      await create().getToken(scope())
    }
    await round()
    const before = openSockets()
    for (let count = 0; count < 10; count++) await round()
    // At once: an idle connection would be closed in the end anyway.
    expect(openSockets()).toBeLessThanOrEqual(before + 2)
    vi.useRealTimers()
  })

  test('works again after a failure, without waiting for the library to forget it', async () => {
    const { cloud: enclave } = running
    const credential = create()
    await enclave.setFault({ kind: 'status-429' }, 'login/token')
    await expect(credential.getToken(scope())).rejects.toMatchObject({ code: 'AUTHORITY_THROTTLED' })
    await enclave.setFault(undefined)
    expect(await credential.getToken(scope())).toMatchObject({ token: expect.any(String) as string })
  })

  test.each([
    ['https://vault.azure.net/', 'keyVault'],
    ['https://management.azure.com/', 'arm'],
    ['https://nobody.example/', undefined],
  ] as const)('of a private cloud names what it has instead of %s', async (audience, service) => {
    const own = service && { scopeToUse: `${running.cloud.profile.serviceAudiences[service]}.default` }
    const evidence = { scope: `${audience}.default`, ...own }
    const token = create().getToken(`${audience}.default`)
    await expect(token).rejects.toMatchObject({ code: 'RESOURCE_UNKNOWN', evidence })
  })

  test.each(['AZURE_REGIONAL_AUTHORITY_NAME', 'MSAL_FORCE_REGION'])(
    'goes to no regional host, though the library follows %s: the plan is refused, and so is the request',
    async (name) => {
      const { cloud: enclave } = running
      const env = { ...enclave.environment('clientSecret'), [name]: 'westus' }
      expect(errorOf(() => createCredentialPlan(enclave.profile, env))).toMatchObject({ code: 'SETTING_INVALID' })
      vi.stubEnv(name, 'westus')
      await expect(create().getToken(scope())).rejects.toMatchObject({ code: 'EGRESS_BLOCKED' })
    },
  )

  test.each(['clientSecret', 'workloadIdentity', 'usernamePassword', 'deviceCode', 'managedIdentity'] as const)(
    'writes to no variable for a moment either, as %s',
    async (mode) => {
      const { cloud: enclave } = running
      const written: (string | symbol)[] = []
      const note = (_env: NodeJS.ProcessEnv, name: string | symbol) => written.push(name) > 0
      const real = process.env
      const others = { AZURE_AUTHORITY_HOST: 'https://login.other.test/', AZURE_FEDERATED_TOKEN_FILE: '/nowhere' }
      process.env = new Proxy({ ...real, ...others }, { set: note, defineProperty: note, deleteProperty: note })
      try {
        const plan = createCredentialPlan(enclave.profile, enclave.environment(mode, running.files))
        const credential = openCredential(plan, { onPrompt: ({ userCode }) => enclave.approveDeviceCode(userCode) })
        await Promise.allSettled([credential.getToken(scope())])
      } finally {
        process.env = real
      }
      expect(written).toEqual([])
    },
  )
})
