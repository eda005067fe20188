import { describe, expect, test } from 'vitest'
import { tokenValidation } from '../../../src/lib/auth/token-validation.ts'
import { resolveCloudProfile } from '../../../src/lib/index.ts'
import { errorOf } from '../../support/error-of.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const tenant = 'AAAAAAAA-2222-4333-8444-555555555555'
const lower = tenant.toLowerCase()
const client = '11111111-2222-4333-8444-555555555555'

describe('The values to validate a token', () => {
  test.each([
    ['platform-commercial', 'https://login.microsoftonline.com/', 'https://sts.windows.net/'],
    ['platform-us-government', 'https://login.microsoftonline.us/', 'https://sts.windows.net/'],
  ])('of %s name the issuers of both versions and the keys of the tenant', (name, authority, first) => {
    const identity = tokenValidation(resolveCloudProfile({ name, env: {} }))
    expect(identity.issuers(tenant)).toEqual([`${authority}${lower}/v2.0`, `${first}${lower}/`])
    expect(identity.jwksUri(tenant)).toBe(`${authority}${tenant}/discovery/v2.0/keys`)
    expect(identity.jwksUri()).toBe(`${authority}common/discovery/v2.0/keys`)
    expect(identity.audiences(client)).toEqual([client, `api://${client}`])
  })

  test('of a federation service name that of its access tokens, which has no TLS in its name', () => {
    const profile = { ...resolveCloudProfile({ env: {} }), authorityHost: 'https://sts.stack.test/adfs/' }
    const identity = tokenValidation(profile)
    expect(identity.issuers()).toEqual(['https://sts.stack.test/adfs', 'http://sts.stack.test/adfs/services/trust'])
    expect(identity.jwksUri()).toBe('https://sts.stack.test/adfs/discovery/keys')
    expect(identity.audiences(client)).toContain(`microsoft:identityserver:${client}`)
  })

  test.each([undefined, 'contoso.example', 'common'])('need the GUID of a tenant, not %s', (tenantId) => {
    const identity = tokenValidation(resolveCloudProfile({ env: {} }))
    expect(errorOf(() => identity.issuers(tenantId))).toMatchObject({ code: 'ARGUMENT_INVALID' })
  })

  const running = useEnclave()
  test('are those of the OpenID configuration of an enclave', async () => {
    const { cloud } = running
    const identity = tokenValidation(cloud.profile)
    expect(identity.issuers(cloud.tenantId)).toEqual([`${cloud.profile.authorityHost}${cloud.tenantId}/v2.0`])
    expect(identity.jwksUri(cloud.tenantId)).toContain(`/${cloud.tenantId}/discovery/v2.0/keys`)
  })
})
