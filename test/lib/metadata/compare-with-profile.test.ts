import { describe, expect, test } from 'vitest'
import type { CloudMetadata } from '../../../src/lib/metadata/cloud-metadata.ts'
import { compareWithProfile } from '../../../src/lib/metadata/compare-with-profile.ts'
import { discoveredAudience, isAudienceOf } from '../../../src/lib/metadata/cloud-metadata.ts'
import { parseCloudMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { metadataFixture } from './fixture.ts'

const government = resolveCloudProfile({ name: 'platform-us-government', env: {} })
const { resourceManagerEndpoint } = government
const governmentMetadata = parseCloudMetadata(metadataFixture('2019-05-01.array.json'), resourceManagerEndpoint)

const unequal = (profile: CloudProfile, metadata: CloudMetadata) =>
  compareWithProfile(profile, metadata)
    .filter((row) => !row.equal)
    .map(({ path }) => path)

const authorityHost = 'https://login.microsoftonline.com/'
test.each<[string, Partial<CloudProfile>, Partial<CloudMetadata>]>([
  ['either audience host', { resourceManagerAudience: 'https://management.core.usgovcloudapi.net/' }, {}],
  ['an audience with or without its slash', {}, { audiences: ['https://management.usgovcloudapi.net'] }],
  ['the case of a host', { authorityHost: 'https://Login.MicrosoftOnline.us/' }, {}],
  ['an alias', { authorityHost }, { loginEndpoint: 'https://login.windows.net/' }],
  ['the case of a path', { authorityHost: 'https://x.test/adfs/' }, { loginEndpoint: 'https://x.test/AdFs/' }],
  ['the storage suffix of profiles', {}, { dnsSuffixes: { storage: '.blob.core.usgovcloudapi.net' } }],
  ['a leading dot', {}, { dnsSuffixes: { keyVault: '.Vault.usgovcloudapi.net' } }],
  ['a tenant in another case', { tenantId: 'Contoso.test' }, { tenant: 'contoso.TEST' }],
])('what counts as equal: %s', (_name, profile, metadata) => {
  expect(unequal({ ...government, ...profile }, { ...governmentMetadata, ...metadata })).toStrictEqual([])
})

describe('what counts as drift', () => {
  test.each<[string, Partial<CloudMetadata>]>([
    ['authorityHost', { loginEndpoint: 'https://login.microsoftonline.com/' }],
    ['authorityHost and tenantId', { loginEndpoint: 'https://login.microsoftonline.us/adfs/' }],
    ['resourceManagerEndpoint', { resourceManagerEndpoint: 'https://management.azure.com/' }],
    ['tenantId', { tenant: 'adfs' }],
    ['serviceDnsSuffixes.storage', { dnsSuffixes: { storage: 'core.windows.net' } }],
    ['serviceDnsSuffixes.sqlServer', { dnsSuffixes: { sqlServer: 'sql.test' } }],
  ])('%s', (path, metadata) => {
    const paths = unequal({ ...government, tenantId: 'contoso.test' }, { ...governmentMetadata, ...metadata })
    expect(paths).toStrictEqual(path.split(' and '))
  })

  test('both audiences, with every value the cloud accepts', () => {
    const metadata: CloudMetadata = { ...governmentMetadata, audiences: ['https://a.test', 'https://b.test/'] }
    const sides = { profile: 'https://management.usgovcloudapi.net/', metadata: 'https://a.test or https://b.test/' }
    expect(compareWithProfile(government, metadata).filter((row) => !row.equal)).toStrictEqual(
      ['resourceManagerAudience', 'serviceAudiences.arm'].map((path) => ({ path, ...sides, equal: false })),
    )
  })
})

describe('what is not compared', () => {
  const paths = (profile: CloudProfile, metadata: CloudMetadata) =>
    compareWithProfile(profile, metadata).map(({ path }) => path)

  test('a field that only one side has', () => {
    const { portalUrl: _, ...profile } = government
    expect(paths(profile, governmentMetadata)).not.toContain('portalUrl')
    const { dnsSuffixes: __, ...metadata } = governmentMetadata
    expect(paths(government, metadata)).not.toContain('serviceDnsSuffixes.storage')
  })

  test.each(['common', '6d2f1b10-0000-4000-8000-000000000000'])('a tenant by its domain name with %s', (tenant) => {
    const profile = { ...government, tenantId: 'contoso.test' }
    expect(paths(profile, { ...governmentMetadata, tenant })).not.toContain('tenantId')
  })
})

test('the discovered audience is the first one, with the final slash that an audience has by rule', () => {
  expect(discoveredAudience(governmentMetadata)).toBe('https://management.core.usgovcloudapi.net/')
  expect(isAudienceOf(governmentMetadata, 'https://management.usgovcloudapi.net')).toBe(true)
  expect(isAudienceOf(governmentMetadata, 'https://management.azure.com/')).toBe(false)
})
