import { expect, test } from 'vitest'
import { applicationServices } from '../../../src/lib/clouds/application-services.ts'
import { cloudNames, type CloudName } from '../../../src/lib/clouds/cloud-service.ts'
import { builtInDocuments, knownClouds } from '../../../src/lib/clouds/known-clouds.ts'
import { profileServices } from '../../../src/lib/clouds/profile-services.ts'
import { sharedAudiences, sharedHosts } from '../../../src/lib/clouds/shared-values.ts'
import { indexValues, listedValues, ownerOfValue } from '../../../src/lib/clouds/value-owner.ts'
import { valueSources } from '../../../src/lib/clouds/value-sources.ts'

const services = [...profileServices, ...applicationServices]
const index = indexValues(services)

test.each<[value: string, service: string, clouds: readonly CloudName[]]>([
  ['https://login.microsoftonline.com/', 'login', ['public']],
  ['https://LOGIN.microsoftonline.US/common', 'login', ['usgovernment']],
  ['https://vault.usgovcloudapi.net/', 'key-vault', ['usgovernment']],
  ['.vault.azure.cn', 'key-vault', ['china']],
  ['.blob.core.windows.net', 'storage', ['public']],
  ['core.usgovcloudapi.net', 'storage', ['usgovernment']],
  ['https://management.core.windows.net:8443/', 'resource-manager', ['public']],
  ['https://batch.core.windows.net/', 'batch', ['public']],
  ['https://ossrdbms-aad.database.windows.net', 'open-source-databases', ['public']],
  ['https://graph.windows.net/', 'directory-graph', ['public', 'usgovernment']],
  ['https://dod-graph.microsoft.us/', 'microsoft-graph', ['usgovernment']],
])('%s is a value of %s', (value, service, clouds) => {
  const owner = ownerOfValue(value)
  expect(owner?.service.id).toBe(service)
  expect(owner?.clouds).toEqual(clouds)
})

test.each([
  'https://storage.azure.com/',
  'https://login.enclave.example/',
  'notlogin.microsoftonline.com.enclave.example',
  'xcore.windows.net',
  'windows.net',
  '.net',
  '',
  '.',
  'constructor',
  '__proto__',
])('%s belongs to no cloud', (value) => {
  expect(ownerOfValue(value, index)).toBeUndefined()
})

test('what all clouds share belongs to none', () => {
  expect(sharedAudiences.filter(({ value }) => ownerOfValue(value, index) !== undefined)).toEqual([])
  // Below a listed host: the scan looks there first.
  expect(sharedHosts).toEqual(['schema.management.azure.com'])
})

test('every value of a built-in profile that is not shared belongs to its own cloud', () => {
  const known = builtInDocuments.filter(({ environment }) => cloudNames.some((name) => name === environment))
  expect(known).toHaveLength(2)
  for (const document of known) {
    const shared = new Set(sharedAudiences.map(({ value }) => `${value}/`))
    const values = urlsAndSuffixes(document).filter((value) => !shared.has(value))
    expect(values.length).toBeGreaterThan(10)
    const foreign = values.filter(
      (value) => ownerOfValue(value)?.clouds.some((each) => each === document.environment) !== true,
    )
    expect(foreign).toEqual([])
  }
})

test('the hosts and audiences of the known clouds are in the table', () => {
  for (const cloud of knownClouds) {
    const values = [cloud.authorityHost, cloud.resourceManagerEndpoint, ...cloud.audiences, ...cloud.authorityAliases]
    expect(values.map((value) => ownerOfValue(value)?.clouds)).toEqual(values.map(() => [cloud.terraform]))
  }
})

test('a listed value belongs to one service and is written as a host', () => {
  for (const cloud of cloudNames) {
    const listed = services.flatMap((service) => listedValues(service, cloud))
    expect(new Set(listed).size).toBe(listed.length)
    for (const value of listed) expect(value).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)
  }
})

test('each service says where its values are published, and no source is unused', () => {
  const used = new Set(services.flatMap(({ sources }) => sources))
  expect([...used].sort()).toEqual(Object.keys(valueSources).sort())
  expect(new Set(services.map(({ id }) => id)).size).toBe(services.length)
})

function urlsAndSuffixes(value: unknown): readonly string[] {
  if (typeof value === 'string') return /^(https?:\/\/|\.[a-z])/.test(value) && !value.endsWith('.json') ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(urlsAndSuffixes) : []
}
