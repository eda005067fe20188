import { describe, expect, test } from 'vitest'
import { identityProviderOf } from '../../../src/lib/profile/identity-provider.ts'

const guid = '11111111-2222-3333-4444-555555555555'

test.each([
  [
    'https://login.enclave.test/',
    'contoso',
    'https://login.enclave.test/contoso/v2.0/.well-known/openid-configuration',
  ],
  ['https://login.enclave.test:443/x/', 't', 'https://login.enclave.test/x/t/v2.0/.well-known/openid-configuration'],
  [
    'https://login.enclave.test/',
    'enclave.test',
    'https://login.enclave.test/enclave.test/v2.0/.well-known/openid-configuration',
  ],
  ['https://adfs.enclave.test/', 'adfs', 'https://adfs.enclave.test/adfs/.well-known/openid-configuration'],
  ['https://adfs.enclave.test/ADFS/', 'adfs', 'https://adfs.enclave.test/adfs/.well-known/openid-configuration'],
  ['https://adfs.enclave.test/adfs/', 'contoso', 'https://adfs.enclave.test/adfs/.well-known/openid-configuration'],
  ['https://adfs.enclave.test/adfs/', undefined, 'https://adfs.enclave.test/adfs/.well-known/openid-configuration'],
  ['https://adfs.enclave.test/x/adfs', 'adfs', 'https://adfs.enclave.test/x/adfs/.well-known/openid-configuration'],
])('the OpenID configuration of %s and tenant %s is at %s', (authorityHost, tenant, url) => {
  expect(identityProviderOf({ authorityHost }, tenant).openIdConfigurationUrl?.href).toBe(url)
})

test.each([undefined, 'a/../evil', ''])('there is none for the tenant %j', (tenant) => {
  expect(identityProviderOf({ authorityHost: 'https://login.enclave.test/' }, tenant)).not.toHaveProperty(
    'openIdConfigurationUrl',
  )
})

describe('a federation service', () => {
  test.each([
    ['https://fs.test/adfs/', undefined],
    ['https://fs.test/ADFS/', 'adfs'],
    ['https://fs.test/adfs/', guid],
    ['https://fs.test:443/adfs', 'ADFS'],
    ['https://fs.test/', 'Adfs'],
  ])('is %s with tenant %s: by its path or by its tenant', (authorityHost, tenantId) => {
    expect(identityProviderOf({ authorityHost }, tenantId)).toMatchObject({
      kind: 'federation-service',
      tenantId: 'adfs',
      authorityBase: 'https://fs.test/',
      authorityUrl: 'https://fs.test/adfs/',
      disableInstanceDiscovery: true,
      expectedClaims: { issuerHosts: ['fs.test'] },
    })
  })

  test.each(['https://adfs/', 'https://adfs.test/', 'https://x.test/adfs2/', 'https://x.test/adfs/x/'])(
    'is not %s',
    (authorityHost) => {
      const provider = identityProviderOf({ authorityHost })
      expect(provider).toMatchObject({
        kind: 'multi-tenant',
        authorityBase: authorityHost,
        authorityUrl: authorityHost,
      })
      expect(provider).not.toHaveProperty('tenantId')
    },
  )

  test('has no tenant id that its tokens repeat', () => {
    expect(identityProviderOf({ authorityHost: 'https://fs.test/adfs/', tenantId: guid }).expectedClaims).toEqual({
      issuerHosts: ['fs.test'],
    })
  })
})

test('the tenant that settings name wins over that of the profile, and a GUID is what tokens repeat', () => {
  const profile = { authorityHost: 'https://login.microsoftonline.us/', tenantId: 'contoso.test' }
  expect(identityProviderOf(profile, guid)).toMatchObject({
    tenantId: guid,
    disableInstanceDiscovery: false,
    expectedClaims: {
      tenantId: guid,
      issuerHosts: ['login.microsoftonline.us', 'sts.windows.net', 'login.microsoftonline.com'],
    },
  })
  expect(identityProviderOf(profile).expectedClaims).not.toHaveProperty('tenantId')
})
