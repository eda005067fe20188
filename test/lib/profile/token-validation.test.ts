import { expect, test } from 'vitest'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { tokenValidation } from '../../../src/lib/profile/identity-provider.ts'

const government = resolveCloudProfile({ name: 'platform-us-government', env: {} })
const tenantId = '3f6a2f6e-0d3c-4c0e-9a53-2f6b8d1c7e10'

test('a multi-tenant authority issues under its own name and under that of the issuers of its cloud', () => {
  const { issuers, jwksUri, audiences } = tokenValidation({ ...government, tenantId })
  expect(issuers()).toEqual(
    expect.arrayContaining([
      `https://login.microsoftonline.us/${tenantId}/v2.0`,
      `https://sts.windows.net/${tenantId}/`,
    ]),
  )
  expect(jwksUri()).toBe(`https://login.microsoftonline.us/${tenantId}/discovery/v2.0/keys`)
  expect(audiences('app')).toEqual(['app', 'api://app'])
})

test('a federation service has no tenant, and an http URL as issuer of its access tokens', () => {
  const { issuers, jwksUri } = tokenValidation({ ...government, authorityHost: 'https://adfs.region.example/adfs/' })
  expect(issuers()).toEqual(['https://adfs.region.example/adfs', 'http://adfs.region.example/adfs/services/trust'])
  expect(jwksUri()).toBe('https://adfs.region.example/adfs/discovery/keys')
})

test.each([undefined, 'contoso.example', '*', `${tenantId}/../x`])('%j is no tenant of an issuer', (tenant) => {
  expect(() => tokenValidation(government).issuers(tenant)).toThrow(/must be the GUID of a tenant/)
})
