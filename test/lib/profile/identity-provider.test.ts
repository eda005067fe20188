import { describe, expect, test } from 'vitest'
import { resolveCloud, resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { knownClouds } from '../../../src/lib/clouds/known-clouds.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import {
  resolveProvider,
  identityProviderOf,
  shouldDisableInstanceDiscovery,
  tokenValidation,
} from '../../../src/lib/profile/identity-provider.ts'

const guid = '11111111-2222-3333-4444-555555555555'

test.each([
  ['https://login.enclave.test/', 'contoso', 'https://login.enclave.test/contoso/v2.0/'],
  ['https://login.enclave.test:443/x/', 't', 'https://login.enclave.test/x/t/v2.0/'],
  ['https://adfs.enclave.test/ADFS/', undefined, 'https://adfs.enclave.test/adfs/'],
  ['https://adfs.enclave.test/x/adfs', 'adfs', 'https://adfs.enclave.test/x/adfs/'],
])('the OpenID configuration of %s and tenant %s is below %s', (authorityHost, tenant, folder) => {
  const { openIdConfigurationUrl } = identityProviderOf({ authorityHost }, tenant)
  expect(openIdConfigurationUrl?.href).toBe(`${folder}.well-known/openid-configuration`)
})

test.each([undefined, 'a/../evil', ''])('there is none for the tenant %j', (tenant) => {
  const provider = identityProviderOf({ authorityHost: 'https://login.enclave.test/' }, tenant)
  expect(provider).not.toHaveProperty('openIdConfigurationUrl')
})

describe('a federation service', () => {
  test.each([
    ['https://fs.test/ADFS/', guid],
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

  const others = ['https://adfs/', 'https://adfs.test/', 'https://x.test/adfs2/', 'https://x.test/adfs/x/']
  test.each(others)('is not %s', (authorityHost) => {
    const provider = identityProviderOf({ authorityHost })
    expect(provider).toMatchObject({ kind: 'multi-tenant', authorityBase: authorityHost, authorityUrl: authorityHost })
    expect(provider).not.toHaveProperty('tenantId')
  })
})

test('the tenant of the settings wins over the tenant of the profile, and tokens must repeat a GUID', () => {
  const profile = { authorityHost: 'https://login.microsoftonline.us/', tenantId: 'contoso.test' }
  const issuerHosts = ['login.microsoftonline.us', 'sts.windows.net', 'login.microsoftonline.com']
  const expectedClaims = { tenantId: guid, issuerHosts }
  expect(identityProviderOf(profile, guid)).toMatchObject({ tenantId: guid, expectedClaims })
  expect(identityProviderOf(profile).expectedClaims).not.toHaveProperty('tenantId')
})

const wellKnown = ['login.microsoftonline.com', 'login.microsoftonline.us', 'login.chinacloudapi.cn']

describe('Instance-discovery rule', () => {
  test('the well-known authority hosts are exactly three: public, government and China', () => {
    const hosts = knownClouds.map(({ authorityHost = '' }) => authorityHost)
    const enabled = hosts.filter((host) => !shouldDisableInstanceDiscovery(host))
    expect([...new Set(enabled)]).toEqual(wellKnown.map((host) => `https://${host}/`))
  })

  test.each(wellKnown)('%s: enabled, however the URL is written', (host) => {
    const urls = [`https://${host}`, `https://${host}///`, `https://${host}:443/`, `HTTPS://${host.toUpperCase()}/`]
    for (const url of urls) expect(shouldDisableInstanceDiscovery(url)).toBe(false)
  })

  test.each([
    'https://login.enclave.example/',
    'https://login.microsoftonline.us/adfs/',
    'https://login.microsoftonline.us:8443/',
    'http://login.microsoftonline.us/',
    'https://login.microsoftonline.com.evil.example/',
    'https://evil-login.microsoftonline.com/',
    'https://login.microsoftonline.com@evil.example/',
    'https://login.windows.net/',
    'login.microsoftonline.com',
  ])('%s: disabled', (url) => {
    expect(shouldDisableInstanceDiscovery(url)).toBe(true)
  })
})

const government = resolveCloudProfile({ name: 'platform-us-government', env: {} })
const validationOf = (profile: typeof government) => tokenValidation(profile, identityProviderOf(profile))

test("a multi-tenant authority issues under its own name and under the names of its cloud's issuers", () => {
  const { issuers, jwksUri, audiences } = validationOf({ ...government, tenantId: guid })
  for (const issuer of [`https://login.microsoftonline.us/${guid}/v2.0`, `https://sts.windows.net/${guid}/`])
    expect(issuers()).toContain(issuer)
  expect(jwksUri()).toBe(`https://login.microsoftonline.us/${guid}/discovery/v2.0/keys`)
  expect(audiences('app')).toEqual(['app', 'api://app'])
})

test('a federation service has no tenant, and an http URL as issuer of its access tokens', () => {
  const { issuers, jwksUri } = validationOf({ ...government, authorityHost: 'https://adfs.region.example/adfs/' })
  expect(issuers()).toEqual(['https://adfs.region.example/adfs', 'http://adfs.region.example/adfs/services/trust'])
  expect(jwksUri()).toBe('https://adfs.region.example/adfs/discovery/keys')
})

test.each([undefined, 'contoso.example', '*', `${guid}/../x`])('%j is no tenant of an issuer', (tenant) => {
  expect(() => validationOf(government).issuers(tenant)).toThrow(/must be the GUID of a tenant/)
})

test('a cloud is resolved again only for another tenant', () => {
  const cloud = resolveProvider(explainProfile({ env: {} }), 'contoso.test')
  expect(resolveProvider(cloud, 'contoso.test')).toBe(cloud)
  expect(resolveProvider(cloud, 'fabrikam.test').provider.tenantId).toBe('fabrikam.test')
  expect(resolveProvider(cloud).provider).not.toHaveProperty('tenantId')
})

test('the tokens of callers come from the tenant of the profile, whatever tenant the credential has', async () => {
  const credential = { mode: 'clientSecret', clientId: 'c', clientSecret: 's', tenantId: 'fabrikam.test' } as const
  const { identity, warnings } = await resolveCloud({ env: {}, profile: { ...government, tenantId: guid }, credential })
  expect(identity.jwksUri()).toBe(`https://login.microsoftonline.us/${guid}/discovery/v2.0/keys`)
  expect(warnings.map(({ code }) => code)).toContain('TENANT_DIFFERS')
})
