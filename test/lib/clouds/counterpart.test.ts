import { expect, test } from 'vitest'
import type { CloudFile } from '../../../src/lib/clouds/cloud-profile.ts'
import { counterpartOf } from '../../../src/lib/clouds/counterpart.ts'
import { knownClouds } from '../../../src/lib/clouds/known-clouds.ts'

const known = (name: string) => knownClouds.find((cloud) => cloud.name === name) as CloudFile
const enclave: CloudFile = {
  name: 'enclave',
  displayName: 'Enclave',
  authorityHost: 'https://login.enclave.example/',
  resourceManagerEndpoint: 'https://management.enclave.example/',
  resourceManagerAudience: 'https://management.enclave.example.org/1234/',
  serviceDnsSuffixes: { keyVault: '.vault.enclave.example' },
  serviceAudiences: { storage: 'https://storage.azure.com/', keyVault: 'https://vault.enclave.example/' },
}
const clouds = {
  government: known('platform-us-government'),
  china: known('platform-china'),
  dod: known('dod'),
  enclave,
  stack: { ...enclave, name: 'stack', authorityHost: 'https://login.microsoftonline.com/' },
  leftOver: { ...known('platform-us-government'), serviceAudiences: { keyVault: 'https://vault.azure.net/' } },
}

/** The cloud in force, a value, and what the cloud has instead: a scope, a host or suffix, `none`, or `right`. */
test.each<[keyof typeof clouds, string, string]>([
  ['government', 'https://vault.azure.net', 'https://vault.usgovcloudapi.net/.default'],
  ['enclave', 'https://vault.azure.net', 'https://vault.enclave.example/.default'],
  ['leftOver', 'https://vault.azure.net/', 'https://vault.usgovcloudapi.net/.default'],
  ['government', 'x.vault.azure.net', '.vault.usgovcloudapi.net'],
  ['government', 'https://vault.usgovcloudapi.net', 'right'],
  ['government', 'https://x.vault.usgovcloudapi.net', 'https://vault.usgovcloudapi.net/.default'],
  ['government', 'https://x.documents.azure.us', 'right'],
  ['government', 'https://x.documents.azure.com', 'https://cosmos.azure.us/.default'],
  // The resource manager by its other audiences and by its endpoint.
  ['government', 'https://management.core.windows.net/', 'https://management.usgovcloudapi.net/.default'],
  ['government', 'https://management.core.usgovcloudapi.net/', 'right'],
  ['enclave', 'https://management.enclave.example/', 'https://management.enclave.example.org/1234/.default'],
  ['enclave', 'management.enclave.example', 'right'],
  ['enclave', 'https://management.azure.com/', 'https://management.enclave.example.org/1234/.default'],
  ['stack', 'https://management.azure.com/', 'https://management.enclave.example.org/1234/.default'],
  ['stack', 'https://graph.microsoft.us/', 'https://graph.microsoft.com/.default'],
  ['stack', 'https://cognitiveservices.azure.com', 'right'],
  // Values that several clouds share.
  ['government', 'https://storage.azure.com/', 'right'],
  ['government', 'https://eventhubs.azure.net', 'right'],
  ['government', '2ff814a6-3304-4ab8-85cb-cd0e6f879c1d', 'right'],
  // Application ids.
  ['government', 'spn:cfa8b339-82a2-471a-a3c9-0fc0be7a4093', 'https://vault.usgovcloudapi.net/.default'],
  ['china', '7e7c393b-45d0-48b1-a35e-2905ddf8183c', 'https://vault.azure.cn/.default'],
  // Two clouds with one login authority.
  ['government', 'https://dod-graph.microsoft.us', 'https://graph.microsoft.us/.default'],
  ['dod', 'https://graph.microsoft.us', 'https://dod-graph.microsoft.us/.default'],
  ['dod', 'https://analysis.windows.net/powerbi/api', 'https://mil.analysis.usgovcloudapi.net/powerbi/api/.default'],
  // Retired services, and services that the cloud does not publish.
  ['government', 'graph.windows.net', 'graph.microsoft.us'],
  ['china', 'https://ai.azure.com', 'none'],
  ['government', 'https://attest.azure.net', 'none'],
  // Hosts that no cloud has.
  ['government', 'management.azure.us', 'management.usgovcloudapi.net'],
  ['china', 'login.microsoftonline.cn', 'login.chinacloudapi.cn'],
  ['china', 'https://management.azure.cn/', 'https://management.chinacloudapi.cn/.default'],
  ['government', 'x.vault.azure.us', '.vault.usgovcloudapi.net'],
  ['government', 'login.sovcloud-api.fr', 'login.microsoftonline.us'],
  ['government', 'vault.azure.net.enclave.example', 'right'],
  // Forms of a scope.
  ['government', 'https://graph.microsoft.us/User.Read', 'https://graph.microsoft.us/.default'],
  ['government', 'https://vault.usgovcloudapi.net/.default/.default', 'https://vault.usgovcloudapi.net/.default'],
  ['government', 'https://vault.usgovcloudapi.net.default', 'https://vault.usgovcloudapi.net/.default'],
  ['government', 'https://vault.usgovcloudapi.net/openid', 'https://vault.usgovcloudapi.net/.default'],
  ['enclave', 'https://vault.enclave.example/user_impersonation', 'https://vault.enclave.example/.default'],
  ['government', 'https://vault.usgovcloudapi.net//.default', 'right'],
])('in %s, %s has the counterpart %s', (name, value, expected) => {
  const found = counterpartOf(value, { cloud: clouds[name] })
  const { scope, host } = found ?? {}
  const wanted = value.includes('://') || /^[\da-f-]{36}$|^spn:/.test(value) ? scope : host
  expect(found === undefined ? 'right' : (wanted ?? 'none')).toBe(expected)
  expect(found?.advice ?? 'Use ').toMatch(/^(?:Use|Request|Ask the operator of) /)
})

test.each([
  ['https://vault.usgovcloudapi.net', 'has no /.default after the resource'],
  ['https://vault.usgovcloudapi.net/profile', 'appends a scope of OpenID to a resource'],
  ['https://graph.microsoft.us/User.Read', 'is a delegated permission of https://graph.microsoft.us/'],
])('The scope %s %s', (scope, problem) => {
  expect(counterpartOf(scope, { cloud: clouds.government, as: 'scope' })?.reason).toBe(`${scope} ${problem}`)
})

test('without a cloud in force, only the owner is known', () => {
  expect(counterpartOf('https://vault.azure.net', { cloud: undefined })).toMatchObject({
    service: 'keyVault',
    owner: { name: 'platform-commercial' },
    reason: 'https://vault.azure.net belongs to keyVault of the Commercial cloud',
  })
})
