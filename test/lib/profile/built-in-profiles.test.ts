import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  builtInClouds,
  builtInProfileNames,
  builtInProfiles,
  defaultProfileName,
  knownClouds,
} from '../../../src/lib/clouds/known-clouds.ts'
import { selectableNames } from '../../../src/lib/profile/profile-files.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { explainDocument } from '../../../src/lib/profile/explained-profile.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { placeholderFields, isPlaceholder } from '../../../src/lib/profile/field-path.ts'
import { profileDocument } from '../../support/profile-document.ts'

const directory = new URL('../../../cloud-profiles/', import.meta.url)
const table = [
  ['platform-commercial', 'public', 'login.microsoftonline.com', 'management.azure.com'],
  ['platform-us-government', 'usgovernment', 'login.microsoftonline.us', 'management.usgovcloudapi.net'],
  [
    'platform-us-gov-secret',
    'usgovernmentsecret',
    'login.secret.placeholder.invalid',
    'management.secret.placeholder.invalid',
  ],
  [
    'platform-us-gov-topsecret',
    'usgovernmenttopsecret',
    'login.topsecret.placeholder.invalid',
    'management.topsecret.placeholder.invalid',
  ],
  [
    'platformstack-custom',
    'platformstackcloud',
    'login.stack.placeholder.invalid',
    'management.stack.placeholder.invalid',
  ],
] as const

test('there are five built-in profiles, and the default is the government cloud', () => {
  expect(builtInProfileNames).toEqual(table.map(([name]) => name))
  expect(defaultProfileName).toBe('platform-us-government')
})

test.each(table)('%s is valid and has the environment and hosts of its row', (name, environment, login, manager) => {
  expect(parseCloudProfile(builtInProfiles.get(name))).toMatchObject({
    name,
    environment,
    authorityHost: `https://${login}/`,
    resourceManagerEndpoint: `https://${manager}/`,
    resourceManagerAudience: `https://${manager}/`,
    serviceAudiences: { arm: `https://${manager}/` },
  })
})

// A cold start takes a cloud that is built in without validating it.
test.each(selectableNames())('%s resolves to what the validation makes of its file', (name) => {
  const document = [...builtInClouds, ...knownClouds].find((cloud) => cloud.name === name)
  const { profile } = explainProfile({ name, env: {} })
  expect(JSON.stringify(profile)).toBe(JSON.stringify(parseCloudProfile(document)))
})

test.each([
  ['platform-commercial', 'portal.azure.com', 'windows.net', 'vault.azure.net', 'azurecr.io', 'graph.microsoft.com'],
  [
    'platform-us-government',
    'portal.azure.us',
    'usgovcloudapi.net',
    'vault.usgovcloudapi.net',
    'azurecr.us',
    'graph.microsoft.us',
  ],
])(
  '%s has its own suffixes, audiences and addresses, and the one storage audience',
  (name, portal, domain, vault, registry, graph) => {
    const profile = parseCloudProfile(builtInProfiles.get(name))
    expect(profile).toMatchObject({
      portalUrl: `https://${portal}/`,
      metadataEndpoint: `${profile.resourceManagerEndpoint}metadata/endpoints`,
      serviceDnsSuffixes: {
        storage: `.blob.core.${domain}`,
        keyVault: `.${vault}`,
        sqlServer: `.database.${domain}`,
        containerRegistry: `.${registry}`,
      },
      serviceAudiences: { storage: 'https://storage.azure.com/', keyVault: `https://${vault}/` },
      services: {
        microsoftGraph: { url: `https://${graph}/` },
        batch: { audience: `https://batch.core.${domain}/` },
        sqlManagement: { url: `https://management.core.${domain}:8443/` },
      },
    })
  },
)

test.each(['platform-us-gov-secret', 'platform-us-gov-topsecret', 'platformstack-custom'])(
  'every host, suffix and audience of %s is a placeholder, and so is no address a secret could reach',
  (name) => {
    const profile = parseCloudProfile(builtInProfiles.get(name))
    expect(placeholderFields(profile)).toEqual([
      'authorityHost',
      'resourceManagerEndpoint',
      'resourceManagerAudience',
      'serviceDnsSuffixes.storage',
      'serviceDnsSuffixes.keyVault',
      'serviceDnsSuffixes.sqlServer',
      'serviceDnsSuffixes.containerRegistry',
      'serviceAudiences.arm',
      'serviceAudiences.storage',
      'serviceAudiences.keyVault',
    ])
    expect(profile).not.toHaveProperty('portalUrl')
    expect(profile).not.toHaveProperty('metadataEndpoint')
  },
)

test.each(builtInProfileNames)('%s has no unknown field and warns of nothing but placeholders', (name) => {
  const { warnings } = explainDocument(builtInProfiles.get(name), { kind: 'built-in', name }, [])
  expect(warnings.map(({ code }) => code).filter((code) => code !== 'PLACEHOLDER_FIELD')).toEqual([])
})

test('the folder cloud-profiles holds the five by name, as they are built in, and their schema', () => {
  const files = [...builtInProfileNames.map((name) => `${name}.json`), 'README.md', 'known', 'schema.json'].sort()
  expect(readdirSync(directory).sort()).toEqual(files)
  for (const name of builtInProfileNames) {
    const file: unknown = JSON.parse(readFileSync(new URL(`${name}.json`, directory), 'utf8'))
    expect(file).toEqual(builtInProfiles.get(name))
    expect(file).toMatchObject({ $schema: './schema.json', name })
  }
})

test.each([
  'https://login.secret.placeholder.invalid/',
  'https://LOGIN.SECRET.INVALID/',
  'https://login.invalid./',
  'https://login.invalid:8443/adfs/',
  'https://login.invalid/.default',
  '.blob.secret.placeholder.invalid',
])('%s is a placeholder', (value) => {
  expect(isPlaceholder(value)).toBe(true)
})

test.each([
  'https://login.enclave.example/',
  'https://login.enclave.example/x.invalid',
  'https://login.invalid.example/',
  'https://notinvalid/',
  '.invalid.example',
  'placeholder.invalid',
  '',
])('%j is no placeholder', (value) => {
  expect(isPlaceholder(value)).toBe(false)
})

test('the fields that hold placeholders are named in the order of the profile', () => {
  const document = profileDocument({
    'serviceAudiences.keyVault': 'https://vault.x.invalid/',
    authorityHost: 'https://login.x.invalid/',
    notes: 'See https://x.invalid/',
    'serviceDnsSuffixes.sqlServer': '.x.invalid',
  })
  expect(placeholderFields(parseCloudProfile(document))).toEqual([
    'authorityHost',
    'serviceDnsSuffixes.sqlServer',
    'serviceAudiences.keyVault',
  ])
})
