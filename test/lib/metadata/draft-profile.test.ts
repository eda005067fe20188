import { describe, expect, test } from 'vitest'
import type { CloudMetadata } from '../../../src/lib/metadata/cloud-metadata.ts'
import { draftProfile } from '../../../src/lib/metadata/draft-profile.ts'
import { parseCloudMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { placeholderFields } from '../../../src/lib/profile/placeholders.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { metadataDocument, metadataFixture } from './fixture.ts'

const stackEndpoint = 'https://management.local.azurestack.external/'
const draft = (document: unknown, endpoint: string, name?: string) =>
  draftProfile(parseCloudMetadata(document, endpoint), { endpoint, ...(name === undefined ? {} : { name }) })

describe('a cloud whose values are built in comes out as its built-in profile', () => {
  test.each([
    ['platform-commercial', '2015-01-01.public.json'],
    ['platform-commercial', '2015-01-01.public.old.json'],
    ['platform-commercial', '2019-05-01.array.json'],
    ['platform-commercial', '2022-09-01.public.json'],
    ['platform-us-government', '2019-05-01.array.json'],
  ])('%s from %s', (name, fixture) => {
    const builtIn = resolveCloudProfile({ name, env: {} })
    const { profile } = draft(metadataFixture(fixture), builtIn.resourceManagerEndpoint)
    expect({ ...profile, notes: builtIn.notes }).toStrictEqual(builtIn)
  })

  test('except for what its live metadata contradicts', () => {
    const document = metadataFixture('2022-09-01.public.json') as object
    const { profile } = draft({ ...document, portal: 'https://portal.new.test' }, 'https://management.azure.com')
    expect(profile).toMatchObject({ environment: 'public', portalUrl: 'https://portal.new.test/' })
  })

  test('but not when another authority would take its logins', () => {
    const document = metadataDocument({ resourceManager: 'https://management.azure.com' })
    const { profile } = draft(document, 'https://management.azure.com')
    expect(profile).toMatchObject({ environment: 'custom', authorityHost: 'https://login.enclave.test/' })
    expect(profile.serviceAudiences.keyVault).toMatch(/\.invalid\/$/)
  })
})

describe('an on-premises stack', () => {
  test('on a federation service gets its authority path, its tenant and its environment', () => {
    const { profile } = draft(metadataFixture('2015-01-01.stack-adfs.SYNTHETIC.json'), stackEndpoint)
    expect(profile).toMatchObject({
      environment: 'platformstackcloud',
      authorityHost: 'https://adfs.local.azurestack.external/adfs/',
      tenantId: 'adfs',
      resourceManagerAudience: 'https://management.adfs.azurestack.local/e2bf6aa1-7a8f-4bb9-b8cb-caef446339ec/',
      serviceDnsSuffixes: { storage: '.blob.local.azurestack.external', keyVault: '.vault.local.azurestack.external' },
    })
  })

  test('on the public authority is known by its audience, and its alias becomes the public host', () => {
    const { profile, fields } = draft(metadataFixture('2015-01-01.stack-aad.json'), stackEndpoint)
    expect(profile.environment).toBe('platformstackcloud')
    expect(fields.find(({ path }) => path === 'authorityHost')).toMatchObject({
      value: 'https://login.microsoftonline.com/',
      how: 'derived',
    })
    expect(profile).not.toHaveProperty('tenantId')
  })

  test.each(['https://adfs.stack.test/ADFS', 'https://adfs.stack.test/adfs/'])(
    'with the login %s has the lower-case path that the credential library needs',
    (loginEndpoint) => {
      const document = metadataDocument({ authentication: { loginEndpoint, audiences: ['https://a.test/1'] } })
      expect(draft(document, 'https://management.stack.test').profile.authorityHost).toBe(
        'https://adfs.stack.test/adfs/',
      )
    },
  )

  test('with the tenant adfs has the path even when the login lacks it', () => {
    const authentication = { loginEndpoint: 'https://sts.stack.test', audiences: ['https://a.test/1'], tenant: 'ADFS' }
    const { profile } = draft(metadataDocument({ authentication }), 'https://management.stack.test')
    expect(profile).toMatchObject({ authorityHost: 'https://sts.stack.test/adfs/', tenantId: 'adfs' })
  })
})

describe('any other cloud', () => {
  const endpoint = 'https://management.enclave.test:8443'

  test('is custom, with what the metadata gives', () => {
    const { profile } = draft(
      metadataDocument({ suffixes: { storage: 'core.enclave.test', acrLoginServer: '.registry.enclave.test' } }),
      endpoint,
      'enclave',
    )
    expect(profile).toMatchObject({
      name: 'enclave',
      environment: 'custom',
      authorityHost: 'https://login.enclave.test/',
      resourceManagerEndpoint: 'https://management.enclave.test:8443/',
      resourceManagerAudience: 'https://management.core.enclave.test/',
      portalUrl: 'https://portal.enclave.test/',
      metadataEndpoint: 'https://management.enclave.test:8443/metadata/endpoints',
      serviceDnsSuffixes: { storage: '.blob.core.enclave.test', containerRegistry: '.registry.enclave.test' },
      serviceAudiences: { arm: 'https://management.core.enclave.test/', storage: 'https://storage.azure.com/' },
    })
  })

  test('has placeholders for what nothing tells, listed and named in the notes', () => {
    const { profile, fields } = draft(metadataDocument(), endpoint)
    const placeholders = fields.filter(({ how }) => how === 'placeholder').map(({ path }) => path)
    expect(placeholders).toStrictEqual([
      'serviceDnsSuffixes.storage',
      'serviceDnsSuffixes.keyVault',
      'serviceDnsSuffixes.sqlServer',
      'serviceDnsSuffixes.containerRegistry',
      'serviceAudiences.keyVault',
    ])
    expect(placeholderFields(profile)).toStrictEqual(placeholders)
    for (const path of placeholders) expect(profile.notes).toContain(path)
    expect(profile.notes).toContain('Derived, to be confirmed: name (the domain of the resource manager)')
  })

  test('never gets an audience made from a host', () => {
    const { profile } = draft(metadataDocument({ suffixes: { keyVaultDns: 'vault.enclave.test' } }), endpoint)
    expect(profile.serviceAudiences.keyVault).not.toContain('vault.enclave.test')
    expect(profile.serviceAudiences.keyVault).toMatch(/\.placeholder\.invalid\/$/)
  })

  test('names no tenant that stands for any tenant', () => {
    const authentication = { loginEndpoint: 'https://l.test', audiences: ['https://a.test'], tenant: 'common' }
    expect(draft(metadataDocument({ authentication }), endpoint).profile).not.toHaveProperty('tenantId')
    expect(
      draft(metadataDocument({ authentication: { ...authentication, tenant: 'contoso.test' } }), endpoint).profile
        .tenantId,
    ).toBe('contoso.test')
  })
})

test.each([
  'https://10.0.0.4:30005',
  'https://[::1]:8443/',
  'http://localhost',
  'https://a.test/arm/',
  'https://xn--mnchen-3ya.test',
])('a draft from %s passes both validation phases', (endpoint) => {
  expect(parseCloudProfile(draft(metadataDocument(), endpoint).profile)).toHaveProperty('name')
})

test('every field says how it came about, in the order of the profile', () => {
  const metadata: CloudMetadata = parseCloudMetadata(metadataFixture('2015-01-01.stack-aad.json'), stackEndpoint)
  const { fields } = draftProfile(metadata, { endpoint: stackEndpoint, name: ' my stack ' })
  expect(fields.map(({ path, how }) => `${path} ${how}`)).toStrictEqual([
    'name given',
    'displayName derived',
    'environment derived',
    'authorityHost derived',
    'resourceManagerEndpoint metadata',
    'resourceManagerAudience metadata',
    'portalUrl metadata',
    'metadataEndpoint given',
    'serviceDnsSuffixes.storage derived',
    'serviceDnsSuffixes.keyVault derived',
    'serviceDnsSuffixes.sqlServer placeholder',
    'serviceDnsSuffixes.containerRegistry placeholder',
    'serviceAudiences.arm metadata',
    'serviceAudiences.storage placeholder',
    'serviceAudiences.keyVault placeholder',
  ])
  expect(fields.every(({ rule }) => rule.length > 5)).toBe(true)
  expect(fields[0]?.value).toBe('my stack')
})
