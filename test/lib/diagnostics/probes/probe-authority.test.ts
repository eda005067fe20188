import { describe, expect, test } from 'vitest'
import { useEnclave } from '../../../support/use-enclave.ts'
import { checkOf, contextOf, probe } from '../../diagnostics/probes/enclave-context.ts'

const running = useEnclave()

describe('the OpenID configuration', () => {
  test('is that of the tenant in force', async () => {
    running.cloud.clearRequests()
    await probe('authority', contextOf(running.cloud.profile, { tenantId: 'organizations' }))
    expect(running.cloud.requests.map(({ path }) => path)).toEqual([
      '/organizations/v2.0/.well-known/openid-configuration',
    ])
  })

  test('is not asked for without a tenant, but the clock is', async () => {
    const { tenantId: _tenantId, ...profile } = running.cloud.profile
    const checks = await probe('authority', contextOf(profile))
    expect(checkOf(checks, 'authority.document')).toMatchObject({
      status: 'skip',
      message: expect.stringContaining('PLATFORM_TENANT_ID') as string,
    })
    expect(checkOf(checks, 'authority.issuer').status).toBe('skip')
    expect(checkOf(checks, 'authority.clock').status).toBe('pass')
  })
})
