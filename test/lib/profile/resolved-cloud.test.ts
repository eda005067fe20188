import { Session } from 'node:inspector/promises'
import { describe, expect, test } from 'vitest'
import { resolveCloud } from '../../../src/lib/index.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { resolveProvider } from '../../../src/lib/profile/resolved-cloud.ts'
import { createService } from '../../../src/lib/service/service.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { enclave } from '../../support/sample-profiles.ts'

const temp = useTemporaryDirectory()

/** How often V8 entered a function of this name. */
async function countCalls(name: string, run: () => Promise<unknown>): Promise<number> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await run()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const found = result.flatMap(({ functions }) => functions.filter(({ functionName }) => functionName === name))
    return found.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0)
  } finally {
    session.disconnect()
  }
}

describe('the identity provider of a cloud is computed once', () => {
  const secret = { PLATFORM_CLIENT_ID: 'c', PLATFORM_CLIENT_SECRET: 's', AUTH_MODE: 'clientSecret' }
  // Nothing can connect to port 1.
  const profile = { ...enclave, authorityHost: 'https://127.0.0.1:1/', resourceManagerEndpoint: 'https://127.0.0.1:1/' }
  const file = temp.write('enclave.json', profile)
  const inOtherTenant = { CUSTOM_CLOUD_PROFILE_PATH: file, PLATFORM_TENANT_ID: 'fabrikam.test' }

  test.each([
    ['a built-in', { PLATFORM_TENANT_ID: 'contoso.test' }],
    ['a file and another tenant', inOtherTenant],
    ['a file and the command-line tool', { ...inOtherTenant, AUTH_MODE: 'platformCli' }],
    ['a file and the default chain', { ...inOtherTenant, AUTH_MODE: 'default' }],
  ])('by resolveCloud with %s', async (_what, variables) => {
    const env = { ...secret, ...variables }
    expect(await countCalls('identityProviderOf', () => resolveCloud({ env }))).toBe(1)
    expect(await countCalls('knownCloudOfAuthority', () => resolveCloud({ env }))).toBe(1)
  })

  test('and the tokens of callers still come from the tenant of the profile', async () => {
    const { identity, warnings } = await resolveCloud({ env: { ...secret, ...inOtherTenant } })
    expect(identity.jwksUri()).toBe('https://127.0.0.1:1/contoso.test/discovery/v2.0/keys')
    expect(warnings.map(({ code }) => code)).toContain('TENANT_DIFFERS')
  })

  test('by a service with its warnings, its health and a diagnostics run', async () => {
    const env = { ...secret, ...inOtherTenant }
    const calls = await countCalls('identityProviderOf', async () => {
      const service = createService(env)
      await service.health()
      const diagnostics = await service.diagnostics(() => {})
      const { identity, checks } = await diagnostics.report()
      expect(identity.tenantId).toBe('fabrikam.test')
      expect(checks.map(({ id }) => id)).toContain('authority.tcp')
    })
    expect(calls).toBe(1)
  })
})

test('a cloud is resolved again only for another tenant', () => {
  const cloud = resolveProvider(explainProfile({ env: {} }), 'contoso.test')
  expect(resolveProvider(cloud, 'contoso.test')).toBe(cloud)
  expect(resolveProvider(cloud, 'fabrikam.test').provider.tenantId).toBe('fabrikam.test')
  expect(resolveProvider(cloud).provider).not.toHaveProperty('tenantId')
})
