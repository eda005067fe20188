import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { builtInProfileNames, builtInProfiles, defaultProfileName } from '../../../src/lib/clouds/known-clouds.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { placeholderFields, isPlaceholder } from '../../../src/lib/profile/field-path.ts'

const directory = new URL('../../../cloud-profiles/', import.meta.url)
const table = [
  ['platform-commercial', 'public', 'login.microsoftonline.com', 'management.azure.com'],
  ['platform-us-government', 'usgovernment', 'login.microsoftonline.us', 'management.usgovcloudapi.net'],
  ['platform-us-gov-secret', 'usgovernmentsecret', 'login.secret', 'management.secret'],
  ['platform-us-gov-topsecret', 'usgovernmenttopsecret', 'login.topsecret', 'management.topsecret'],
  ['platformstack-custom', 'platformstackcloud', 'login.stack', 'management.stack'],
] as const

test.each(table)('%s is valid and has the environment and hosts of its row', (name, environment, login, manager) => {
  const urlOf = (host: string) => `https://${host}${/\.(com|us|net)$/.test(host) ? '' : '.placeholder.invalid'}/`
  expect(parseCloudProfile(builtInProfiles.get(name))).toMatchObject({
    name,
    environment,
    authorityHost: urlOf(login),
    resourceManagerEndpoint: urlOf(manager),
    resourceManagerAudience: urlOf(manager),
    serviceAudiences: { arm: urlOf(manager) },
  })
})

const placeholders = ['platform-us-gov-secret', 'platform-us-gov-topsecret', 'platformstack-custom']

test.each(placeholders)('every host, suffix and audience of %s is a placeholder', (name) => {
  const profile = parseCloudProfile(builtInProfiles.get(name))
  const leaves = (['serviceDnsSuffixes', 'serviceAudiences'] as const).flatMap((group) =>
    Object.keys(profile[group]).map((key) => `${group}.${key}`),
  )
  const addresses = ['authorityHost', 'resourceManagerEndpoint', 'resourceManagerAudience']
  expect(placeholderFields(profile)).toEqual([...addresses, ...leaves])
  expect(profile).not.toHaveProperty('portalUrl')
  expect(profile).not.toHaveProperty('metadataEndpoint')
})

test('the folder cloud-profiles contains the five built-in profiles by name, and their schema; the default is the government', () => {
  expect(builtInProfileNames).toEqual(table.map(([name]) => name))
  expect(defaultProfileName).toBe('platform-us-government')
  const files = [...builtInProfileNames.map((name) => `${name}.json`), 'README.md', 'known', 'schema.json'].sort()
  expect(readdirSync(directory).sort()).toEqual(files)
  for (const name of builtInProfileNames) {
    const file: unknown = JSON.parse(readFileSync(new URL(`${name}.json`, directory), 'utf8'))
    expect(file).toEqual(builtInProfiles.get(name))
    expect(file).toMatchObject({ $schema: './schema.json', name })
  }
})

test.each([
  ['https://login.secret.placeholder.invalid/', true],
  ['https://login.invalid./', true],
  ['.blob.secret.placeholder.invalid', true],
  ['https://login.enclave.example/x.invalid', false],
  ['https://notinvalid/', false],
  ['placeholder.invalid', false],
])('%s is a placeholder: %s', (value, expected) => {
  expect(isPlaceholder(value)).toBe(expected)
})
