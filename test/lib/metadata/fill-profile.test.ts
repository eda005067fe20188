import type { CloudName } from '../../../src/lib/index.ts'
import { describe, expect, test } from 'vitest'
import { builtInProfileNames } from '../../../src/lib/clouds/known-clouds.ts'
import { fillProfile, isUncertain } from '../../../src/lib/metadata/fill-profile.ts'
import { parseWholeMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { placeholderFields } from '../../../src/lib/profile/field-path.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { metadataDocument, metadataFixture } from './fixture.ts'

const stackEndpoint = 'https://management.local.azurestack.external/'
const draft = (document: unknown, endpoint: string, name?: string) =>
  fillProfile({ metadata: parseWholeMetadata(document, endpoint), endpoint, name })
const certainties = ({ fields }: ReturnType<typeof fillProfile>) =>
  Object.fromEntries(fields.map(({ path, certainty }) => [path, certainty]))

describe('a cloud whose values are built in comes out as its built-in profile', () => {
  test.each([
    ['platform-commercial', '2015-01-01.public.json'],
    ['platform-commercial', '2015-01-01.public.old.json'],
    ['platform-commercial', '2019-05-01.array.json'],
    ['platform-commercial', '2022-09-01.public.json'],
    ['platform-us-government', '2019-05-01.array.json'],
  ])('%s from %s', (name, fixture) => {
    const builtIn = resolveCloudProfile({ name: name as CloudName, env: {} })
    const { profile } = draft(metadataFixture(fixture), builtIn.resourceManagerEndpoint)
    expect({ ...profile, notes: builtIn.notes }).toEqual(builtIn)
  })

  test('except for what its live metadata contradicts', () => {
    const document = metadataFixture('2022-09-01.public.json') as object
    const { profile } = draft({ ...document, portal: 'https://portal.new.test' }, 'https://management.azure.com')
    expect(profile).toMatchObject({ environment: 'public', portalUrl: 'https://portal.new.test/' })
  })

  test('but not when another authority would take its logins', () => {
    const document = metadataDocument({ resourceManager: 'https://management.azure.com' })
    const serviceAudiences = { keyVault: /\.invalid\/$/ }
    expect(draft(document, 'https://management.azure.com').profile).toMatchObject({
      environment: 'custom',
      serviceAudiences,
    })
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
      certainty: 'confirmed',
      from: expect.stringContaining('old alias'),
    })
    expect(profile).not.toHaveProperty('tenantId')
  })
})

describe('any other cloud', () => {
  const endpoint = 'https://management.enclave.test:8443'

  test('is custom, with what the metadata gives', () => {
    const suffixes = { storage: 'core.enclave.test', acrLoginServer: '.registry.enclave.test' }
    const { profile } = draft(metadataDocument({ suffixes }), endpoint, 'enclave')
    expect(profile).toMatchObject({
      name: 'enclave',
      environment: 'custom',
      authorityHost: 'https://login.enclave.test/',
      resourceManagerEndpoint: 'https://management.enclave.test:8443/',
      metadataEndpoint: 'https://management.enclave.test:8443/metadata/endpoints',
      serviceDnsSuffixes: { storage: '.blob.core.enclave.test', containerRegistry: '.registry.enclave.test' },
      serviceAudiences: { arm: 'https://management.core.enclave.test/', storage: 'https://storage.azure.com/' },
    })
  })
})

test('every field of a draft says how sure it is, in the order of the profile', () => {
  const confirmed = (path: string) => `${path} confirmed`
  const drafted = draft(metadataFixture('2015-01-01.stack-aad.json'), stackEndpoint, ' my stack ')
  expect(Object.entries(certainties(drafted)).map((entry) => entry.join(' '))).toStrictEqual([
    'name given',
    ...['displayName', 'environment'].map((path) => `${path} derived`),
    ...['authorityHost', 'resourceManagerEndpoint', 'resourceManagerAudience', 'portalUrl'].map(confirmed),
    'metadataEndpoint given',
    ...['storage', 'keyVault'].map((name) => `serviceDnsSuffixes.${name} derived`),
    ...['sqlServer', 'containerRegistry'].map((name) => `serviceDnsSuffixes.${name} placeholder`),
    'serviceAudiences.arm confirmed',
    ...['storage', 'keyVault'].map((name) => `serviceAudiences.${name} placeholder`),
    ...['directoryGraph.url', 'directoryGraph.audience', 'gallery.url'].map((name) => confirmed(`services.${name}`)),
  ])
  expect(drafted.fields.every(({ from }) => from.length > 5)).toBe(true)
  const placeholders = drafted.fields.filter(({ certainty }) => certainty === 'placeholder').map(({ path }) => path)
  expect(placeholderFields(drafted.profile)).toStrictEqual(placeholders)
  for (const path of placeholders) expect(drafted.profile.notes).toContain(path)
  expect(drafted.profile.notes).toContain('Derived, to be confirmed: displayName')
  expect(drafted.profile.name).toBe('my stack')
})

const temp = useTemporaryDirectory()
const variables = {
  PLATFORM_AUTHORITY_HOST: 'https://login.enclave.test/',
  PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://management.enclave.test/',
  PLATFORM_STORAGE_DNS_SUFFIX: '.blob.core.enclave.test',
  PLATFORM_KEYVAULT_DNS_SUFFIX: '.vault.enclave.test',
  PLATFORM_SQL_DNS_SUFFIX: '.database.enclave.test',
  PLATFORM_ACR_DNS_SUFFIX: '.registry.enclave.test',
}
const metadata = parseWholeMetadata(metadataDocument(), variables.PLATFORM_RESOURCE_MANAGER_ENDPOINT)

describe.each(builtInProfileNames)('from %s', (PLATFORM_CLOUD) => {
  test.each([
    ['alone', {}],
    ['with its variables', variables],
  ])('%s: the file resolves to the same values', (label, overrides) => {
    const active = explainProfile({ env: { PLATFORM_CLOUD, ...overrides } })
    const { profile } = fillProfile({ active })
    const path = temp.write(`${PLATFORM_CLOUD} ${label}.json`, parseCloudProfile(profile))
    const again = explainProfile({ env: { CUSTOM_CLOUD_PROFILE_PATH: path } })
    const { name: _name, notes: _notes, ...values } = active.profile
    expect(again.profile).toMatchObject(values)
    expect(again.profile.name).toBe(`${PLATFORM_CLOUD}-custom`)
  })
})

test('without metadata an audience that follows a host is a guess', () => {
  const active = explainProfile({ env: { PLATFORM_CLOUD: 'platform-us-gov-secret', ...variables } })
  const completed = fillProfile({ active })
  expect(completed.fields.filter(isUncertain).map(({ path, certainty }) => [path, certainty])).toEqual([
    ['resourceManagerAudience', 'guessed'],
    ['serviceAudiences.arm', 'guessed'],
    ['serviceAudiences.keyVault', 'guessed'],
  ])
  expect(certainties(completed)).toMatchObject({ 'serviceAudiences.storage': 'derived' })
  expect(completed.profile.notes).toContain('Guessed, to be confirmed by the cloud operator: resourceManagerAudience,')
})

test('metadata replaces guesses, placeholders and values of another cloud, and never what somebody gave', () => {
  const given = { PLATFORM_RESOURCE_MANAGER_AUDIENCE: 'https://given.enclave.test/' }
  const env = { PLATFORM_CLOUD: 'platform-us-government', ...variables }
  const guessed = fillProfile({ active: explainProfile({ env }), metadata })
  const [resourceManagerAudience, portalUrl] = ['https://management.core.enclave.test/', 'https://portal.enclave.test/']
  expect(guessed.profile).toMatchObject({ resourceManagerAudience, portalUrl })
  const confirmed = { resourceManagerAudience: 'confirmed', portalUrl: 'confirmed' }
  expect(certainties(guessed)).toMatchObject({ ...confirmed, 'serviceAudiences.keyVault': 'foreign' })
  const kept = fillProfile({ active: explainProfile({ env: { ...env, ...given } }), metadata })
  const [[from, value] = []] = Object.entries(given)
  const differs = /https:\/\/management\.core\.enclave\.test\//
  const field = kept.fields.find(({ path }) => path === 'resourceManagerAudience')
  expect(field).toMatchObject({ value, from, certainty: 'given', differs })
})
