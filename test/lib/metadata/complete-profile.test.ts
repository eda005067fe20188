import { describe, expect, test } from 'vitest'
import { isOpen, completeProfile } from '../../../src/lib/metadata/complete-profile.ts'
import { parseWholeMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import { builtInProfileNames } from '../../../src/lib/clouds/known-clouds.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { metadataDocument } from './fixture.ts'

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
const certainties = (completed: ReturnType<typeof completeProfile>) =>
  Object.fromEntries(completed.fields.map(({ path, certainty }) => [path, certainty]))

describe.each(builtInProfileNames)('from %s', (PLATFORM_CLOUD) => {
  test.each([
    ['alone', {}],
    ['with its variables', variables],
  ])('%s: the file resolves to the same values', (label, overrides) => {
    const active = explainProfile({ env: { PLATFORM_CLOUD, ...overrides } })
    const { profile } = completeProfile(active, undefined)
    const path = temp.write(`${PLATFORM_CLOUD} ${label}.json`, parseCloudProfile(profile))
    const again = explainProfile({ env: { CUSTOM_CLOUD_PROFILE_PATH: path } })
    const { name: _name, notes: _notes, ...values } = active.profile
    expect(again.profile).toMatchObject(values)
    expect(again.profile.name).toBe(`${PLATFORM_CLOUD}-custom`)
  })

  test('with its variables and metadata, only what the cloud does not publish is open', () => {
    const active = explainProfile({
      env: { PLATFORM_CLOUD, ...variables, PLATFORM_STORAGE_AUDIENCE: 'https://s.test/' },
    })
    const completed = completeProfile(active, metadata, 'signed-off')
    expect(certainties(completed)).toMatchObject({
      authorityHost: 'confirmed',
      resourceManagerEndpoint: 'confirmed',
      'serviceDnsSuffixes.storage': 'given',
      'serviceAudiences.storage': 'given',
      metadataEndpoint: 'derived',
    })
    expect(completed.profile.name).toBe('signed-off')
  })
})

test('without metadata an audience that follows a host is a guess', () => {
  const active = explainProfile({ env: { PLATFORM_CLOUD: 'platform-us-gov-secret', ...variables } })
  const completed = completeProfile(active, undefined)
  expect(completed.fields.filter(isOpen).map(({ path, certainty }) => [path, certainty])).toEqual([
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
  const guessed = completeProfile(explainProfile({ env }), metadata)
  expect(guessed.profile).toMatchObject({
    resourceManagerAudience: 'https://management.core.enclave.test/',
    portalUrl: 'https://portal.enclave.test/',
  })
  expect(certainties(guessed)).toMatchObject({
    resourceManagerAudience: 'confirmed',
    portalUrl: 'confirmed',
    'serviceAudiences.keyVault': 'foreign',
  })
  const kept = completeProfile(explainProfile({ env: { ...env, ...given } }), metadata)
  expect(kept.fields.find(({ path }) => path === 'resourceManagerAudience')).toMatchObject({
    value: given.PLATFORM_RESOURCE_MANAGER_AUDIENCE,
    from: 'PLATFORM_RESOURCE_MANAGER_AUDIENCE',
    certainty: 'given',
    differs: expect.stringContaining('https://management.core.enclave.test/'),
  })
})

test('a stack gets its audience from its metadata, and keeps the placeholder without', () => {
  const active = explainProfile({ env: { PLATFORM_CLOUD: 'platformstack-custom', ...variables } })
  expect(certainties(completeProfile(active, undefined))).toMatchObject({ resourceManagerAudience: 'placeholder' })
  expect(completeProfile(active, metadata).profile.resourceManagerAudience).toBe(
    'https://management.core.enclave.test/',
  )
})
