import { expect, test } from 'vitest'
import {
  equalAuthorities,
  knownCloudOf,
  knownCloudOfAuthority,
  resourceManagerAudiencesOf,
  withoutAlias,
  withoutAudienceAlias,
} from '../../../src/lib/clouds/equal-values.ts'
import { builtInClouds, knownClouds } from '../../../src/lib/clouds/known-clouds.ts'

test.each([
  ['https://login.windows.net/', 'https://login.microsoftonline.com/'],
  ['https://login.microsoft.com/common/', 'https://login.microsoftonline.com/common/'],
  ['https://login.usgovcloudapi.net/', 'https://login.microsoftonline.us/'],
  ['https://login.partner.microsoftonline.cn/', 'https://login.chinacloudapi.cn/'],
])('%s is another name of %s', (alias, authority) => {
  expect(withoutAlias(alias)).toBe(authority)
  expect(equalAuthorities(alias, authority)).toBe(true)
})

test.each(['constructor', '__proto__', 'toString', 'login.enclave.example'])('%s has no other name', (host) => {
  const { href } = new URL(`https://${host}/`)
  expect([withoutAlias(href), withoutAudienceAlias(href)]).toEqual([href, href])
  expect(knownCloudOfAuthority(href)).toBeUndefined()
})

test('an audience of a known resource manager stands for its host, by either name', () => {
  for (const cloud of knownClouds) {
    const audiences = resourceManagerAudiencesOf(cloud)
    expect(audiences.map(withoutAudienceAlias)).toEqual(audiences.map(() => cloud.resourceManagerEndpoint))
  }
  expect(withoutAudienceAlias('no url')).toBe('no url')
})

test("both addresses decide which known cloud it is; a placeholder isn't one", () => {
  const names = builtInClouds.map((cloud) => knownCloudOf(cloud)?.toolNames?.['az'])
  expect(names).toEqual(['AzureCloud', 'AzureUSGovernment', ...Array.from({ length: 3 }, () => undefined)])
  const resourceManagerEndpoint = 'https://management.a.example/'
  for (const cloud of knownClouds) expect(knownCloudOf({ ...cloud, resourceManagerEndpoint })).toBeUndefined()
})
