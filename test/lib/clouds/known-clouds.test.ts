import { expect, test } from 'vitest'
import { textsOf } from '../../../src/lib/base/json.ts'
import type { CloudFile } from '../../../src/lib/clouds/cloud-profile.ts'
import { servicesOf, builtInClouds, knownClouds, publicAuthority } from '../../../src/lib/clouds/known-clouds.ts'
import { includesCloud, ownerOf, ownersIn } from '../../../src/lib/clouds/owner-of.ts'

const [commercial, government] = ['platform-commercial', 'platform-us-government']
test.each<[value: string, service: string | undefined, clouds?: readonly string[]]>([
  ['https://LOGIN.microsoftonline.US/common', 'login', [government]],
  ['https://sts.windows.net/', 'login', [commercial, government]],
  ['me.queue.core.usgovcloudapi.net', 'queue', [government]],
  ['core.usgovcloudapi.net.', 'blob', [government]],
  ['https://management.core.windows.net:8443/', 'resourceManager', [commercial]],
  ['https://ossrdbms-aad.database.windows.net', 'postgresql', [commercial]],
  // Spellings of one value.
  ['https://vault.azure.net./', 'keyVault', [commercial]],
  ['https://sub.vault.azure.net:443/', 'keyVault', [commercial]],
  ['https://user:password@vault.azure.net/', 'keyVault', [commercial]],
  ['https://vault.azure.net/a/b?c#d', 'keyVault', [commercial]],
  ['.sub.vault.azure.net', 'keyVault', [commercial]],
  // Other hosts, and what all clouds share.
  ['https://vault.azure.net.evil.example/', undefined],
  ['https://evil.example/https://vault.azure.net/', undefined],
  ['https://vault.azure.net@evil.example/', undefined],
  ['https://storage.azure.com/', undefined],
  ['notlogin.microsoftonline.com.enclave.example', undefined],
  ['xcore.windows.net', undefined],
  ['windows.net', undefined],
  ['.', undefined],
  ['__proto__', undefined],
])('%s is a value of %s of %j', (value, service, clouds) => {
  const owner = ownerOf(value)
  expect(owner?.service).toBe(service)
  expect(owner?.clouds.map(({ name }) => name)).toEqual(clouds)
})

test("every value of a cloud's own that is not shared belongs to it", () => {
  const shared = /^https:\/\/(storage\.azure\.com|(servicebus|eventhubs|containerregistry)\.azure\.net)\/?$/
  for (const cloud of knownClouds) {
    const { notes: _notes, federatedAudience: _federated, guessedHosts: _guessed, aliases, ...own } = cloud
    const values = textsOf({ own, aliases })
      .map(([, value]) => value)
      .filter((value) => /^(https?:|\.[a-z])/.test(value) && !value.endsWith('.json') && !shared.test(value))
    // An issuer of the government cloud is the authority of the public one.
    const issuers = cloud.authorityHost === 'https://login.microsoftonline.us/' ? [publicAuthority] : []
    expect(values.filter((value) => !includesCloud(ownerOf(value)?.clouds ?? [], cloud))).toEqual(issuers)
  }
})

test("a placeholder belongs to nobody, and an operator's cloud can be taught", () => {
  expect([...ownersIn(builtInClouds.slice(2)).keys()].filter((host) => host.endsWith('.invalid'))).toEqual([])
  const enclave = { name: 'enclave', displayName: 'Enclave', authorityHost: 'https://login.enclave.example/' }
  expect(ownerOf('https://login.enclave.example/', [...knownClouds, enclave])?.clouds).toEqual([enclave])
})

test.each([
  ['a copy', {}],
  ['a copy under another name', { name: 'our-bleu', displayName: 'Our Bleu' }],
  ['a copy by an alias of the authority, in capitals', { authorityHost: 'HTTPS://LOGIN.sovcloud-identity.fr:443/' }],
])('%s of a known cloud takes nothing from it', (_, change) => {
  const bleu = knownClouds.find(({ name }) => name === 'bleu')
  const clouds = [...knownClouds, { ...(bleu as CloudFile), ...change }]
  for (const host of ownersIn(knownClouds).keys()) expect(ownerOf(host, clouds)).toEqual(ownerOf(host))
})

test('services that the suffixes of a profile name come from there', () => {
  const serviceDnsSuffixes = { storage: '.storage.example', sqlServer: '.sql.example' }
  const services = { sqlServer: { dnsSuffix: '.other.example', port: 1433 } }
  expect(servicesOf({ name: 'x', displayName: 'x', serviceDnsSuffixes, services })).toEqual({
    blob: { dnsSuffix: '.storage.example' },
    sqlServer: { dnsSuffix: '.sql.example', port: 1433 },
  })
})
