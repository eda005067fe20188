import { describe, expect, test } from 'vitest'
import { useEnclave, useEnclaves } from '../../../support/use-enclave.ts'
import { checkOf, contextOf, probe, troublesOf } from '../../diagnostics/probes/enclave-context.ts'

const running = useEnclave()
const open = useEnclaves()

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

  test('of a federation service needs no configured tenant', async () => {
    const { enclave: stack } = await open({ federationService: true })
    const { tenantId: _tenantId, ...profile } = stack.profile
    expect(troublesOf(await probe('authority', contextOf(profile)))).toEqual([])
    expect(stack.requests.map(({ path }) => path)).toEqual(['/adfs/.well-known/openid-configuration'])
  })

  test('may name a token endpoint on a host that is allowed by name', async () => {
    await running.cloud.setFault({ kind: 'foreign-token-endpoint' })
    const allowedTokenHosts = [new URL(running.cloud.foreign.origin).host]
    expect(troublesOf(await probe('authority', contextOf(running.cloud.profile, { allowedTokenHosts })))).toEqual([])
    expect(running.cloud.foreign.received).toEqual([])
  })

  test('is not asked for with a tenant that could change the address', async () => {
    const checks = await probe('authority', contextOf(running.cloud.profile, { tenantId: '../x' }))
    expect(checkOf(checks, 'authority.document').status).toBe('skip')
  })
})
