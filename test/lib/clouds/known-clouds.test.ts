import { expect, test } from 'vitest'
import { equalAuthorities, withoutAlias, withoutAudienceAlias } from '../../../src/lib/clouds/equal-values.ts'
import { knownCloudOf, knownCloudOfAuthority } from '../../../src/lib/clouds/known-cloud-of.ts'
import { builtInDocuments, knownClouds } from '../../../src/lib/clouds/known-clouds.ts'
import { lintProfile } from '../../../src/lib/profile/lint-profile.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { profileDocument } from '../../support/profile-document.ts'

test.each([
  ['https://login.windows.net/', 'https://login.microsoftonline.com/'],
  ['https://login.microsoft.com/common/', 'https://login.microsoftonline.com/common/'],
  ['https://login.usgovcloudapi.net/', 'https://login.microsoftonline.us/'],
  ['https://login.partner.microsoftonline.cn/', 'https://login.chinacloudapi.cn/'],
])('%s is another name of %s', (alias, authority) => {
  expect(withoutAlias(alias)).toBe(authority)
  expect(equalAuthorities(alias, authority)).toBe(true)
})

test.each(['constructor', '__proto__', 'toString', 'login.enclave.example'])(
  'the host %s has no other name',
  (host) => {
    expect(withoutAlias(`https://${host}/`)).toBe(new URL(`https://${host}/`).href)
    expect(withoutAudienceAlias(`https://${host}/`)).toBe(new URL(`https://${host}/`).href)
    expect(knownCloudOfAuthority(`https://${host}/`)).toBeUndefined()
  },
)

test('a custom profile with another name of a known authority is told its main one', () => {
  for (const { authorityHost, authorityAliases } of knownClouds) {
    for (const alias of authorityAliases) {
      const profile = parseCloudProfile(profileDocument({ authorityHost: `https://${alias}/`, environment: 'public' }))
      expect(lintProfile(profile)).toContainEqual({
        code: 'AUTHORITY_ALIAS',
        message: `authorityHost is ${alias}, another name of ${new URL(authorityHost).hostname}; set it to ${authorityHost}`,
      })
    }
  }
})

test('an audience of a known resource manager stands for its host, by either name', () => {
  for (const { audiences, resourceManagerEndpoint } of knownClouds) {
    expect(audiences.map(withoutAudienceAlias)).toEqual(audiences.map(() => resourceManagerEndpoint))
  }
  expect(withoutAudienceAlias('no url')).toBe('no url')
})

test('a known cloud is that of both its addresses; a placeholder is no known cloud', () => {
  const known = builtInDocuments.map((document) => knownCloudOf(parseCloudProfile(document))?.az)
  expect(known).toEqual(['AzureCloud', 'AzureUSGovernment', undefined, undefined, undefined])
  const mixed = { ...profileDocument(), authorityHost: 'https://login.microsoftonline.us/' }
  expect(knownCloudOf(mixed)).toBeUndefined()
  expect(knownCloudOfAuthority('https://login.microsoftonline.us')?.az).toBe('AzureUSGovernment')
})

test('no host belongs to two clouds', () => {
  const hosts = knownClouds.flatMap(({ authorityHost, authorityAliases }) => [
    new URL(authorityHost).hostname,
    ...authorityAliases,
  ])
  expect(new Set(hosts).size).toBe(hosts.length)
})
