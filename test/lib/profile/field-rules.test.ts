import { expect, test } from 'vitest'
import { cloudProfileSchema } from '../../../src/lib/clouds/cloud-profile.ts'
import { notAService } from '../../../src/lib/clouds/field-rules.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { problemsOf } from '../../support/problems-of.ts'
import { profileDocument } from '../../support/profile-document.ts'

// profile.property.test.ts compares schema.json with these rules, for any document.

const suffixes = ['storage', 'keyVault', 'sqlServer', 'containerRegistry'].map((key) => `serviceDnsSuffixes.${key}`)
const audiences = ['resourceManagerAudience', ...['arm', 'storage', 'keyVault'].map((key) => `serviceAudiences.${key}`)]
const baseUrls = ['authorityHost', 'resourceManagerEndpoint', ...audiences]
const addresses = ['portalUrl', 'metadataEndpoint']
const urls = [...baseUrls, ...addresses]
const names = ['name', 'displayName']
const host = 'https://host.example/'
const guid = '11111111-2222-3333-4444-555555555555'
const tenants = [guid, 'Common', 'organizations/oauth2', 'base/contoso.onmicrosoft.us', '{tenant}']
const scopes = ['.default/', '.default', '.Default/', '%2edefault/']
const noSuffixes = ['.', '.a.', '.a..b', '.a/b', '.a:443', '.-a', '.a-', '.a_b', '.a@b', '.a\n', '.ä', '.1']

test.each<[rule: string, fields: readonly string[], values: readonly string[]]>([
  ['must not be empty', names, ['   ', '\t\n']],
  ['must not contain control characters', [...names, 'notes'], ['red \u001B[31m', 'nul\u0000', 'c1 \u009B']],
  ['must not contain control characters', names, ['two\nlines']],
  ['must be an absolute URL', urls, ['login.example/', '//host/', 'https:///x/', 'https://[/', 'https://h:99999/']],
  ['must be an absolute URL without spaces or', urls, [` ${host}`, `${host} `, 'https://ho st/', 'https:\\\\host\\']],
  ['must be an absolute URL without', urls, ['\u0000', '\u009B', '\u202E', '\uFEFF'].map((each) => `${host}${each}/`)],
  ['must end with "/"', baseUrls, ['https://host.example', `${host}base`, 'HTTPS://host.example/a/b']],
  ['must start with https://', ['authorityHost'], ['http://login.enclave.example/', 'ftp://login.enclave.example/']],
  ['must start with https:// or http://', ['resourceManagerEndpoint', ...addresses], ['ftp://host.example/']],
  ['must not contain user information', urls, ['https://user:hunter2@host.example/', 'https://hunter2@host.example/']],
  ['must not contain a query or a fragment', baseUrls, [`${host}?sig=hunter2/`, `${host}#hunter2/`, `${host}?/`]],
  ['must not contain a tenant', ['authorityHost'], tenants.map((path) => `${host}${path}/`)],
  ['must not end with ".default"', audiences, scopes.map((end) => host + end)],
  ['must start with "."', suffixes, ['blob.enclave.example']],
  ['must be a DNS suffix', suffixes, noSuffixes],
  ['must be a tenant', ['tenantId'], ['a/b', '../x', '.x', '-x', 'a b', 'a@b', 'a?b', 'a\n']],
])('%s: %j', (rule, fields, values) => {
  for (const path of fields) {
    for (const value of values) {
      const [problem = '', ...others] = problemsOf(profileDocument({ [path]: value }))
      expect(others).toEqual([])
      expect(problem).toContain(`${path}: ${rule}`)
      expect(problem).toMatch(/, but is "\P{Cc}*$/u)
      expect(problem).not.toContain('hunter2')
    }
  }
})

test.each<[fields: readonly string[], values: readonly string[]]>([
  [['notes'], ['first\r\n\tsecond\nthird']],
  [baseUrls, ['https://host.example/a/b/']],
  [addresses, ['https://host.example', `${host}metadata/endpoints`, `${host}#home`, 'https://host.example?b#c']],
  [['resourceManagerEndpoint', ...addresses], ['http://host.example/']],
  [audiences, ['api://11111111-2222/']],
  [['authorityHost'], [`${host}v2.0/`, 'https://contoso.example.us/', `${host}commons/`, 'https://[::1]:8443/adfs/']],
  [suffixes, ['.Blob.Core-2.enclave.example', '.local', '.2a']],
  [['tenantId'], [guid, 'adfs', 'contoso.example', 'x']],
])('%j may be %j', (fields, values) => {
  for (const path of fields) {
    for (const value of values)
      expect(parseCloudProfile(profileDocument({ [path]: value }))).toHaveProperty(path, value)
  }
})

test.each([
  ...urls.map((path) => ({ path, most: 2048, ending: '/', start: host })),
  ...[...names, 'tenantId'].map((path) => ({ path, most: 256, start: '', ending: '' })),
  { path: 'notes', most: 16_384, start: '', ending: '' },
])('$path may have $most characters and no more', ({ path, most, start, ending }) => {
  const value = start + 'x'.repeat(most - start.length - ending.length) + ending
  expect(parseCloudProfile(profileDocument({ [path]: value }))).toHaveProperty(path.split('.'), value)
  const [problem = ''] = problemsOf(profileDocument({ [path]: `${start}x${value.slice(start.length)}` }))
  expect(problem).toContain(`${path}: must be at most ${most} characters long, but is "`)
  expect(problem.length).toBeLessThan(300)
})

test('a length counts characters, not bytes', () => {
  const longest = '\u{1F510}'.repeat(256)
  expect(parseCloudProfile(profileDocument({ displayName: longest }))).toHaveProperty('displayName', longest)
  expect(problemsOf(profileDocument({ displayName: `${longest}x` }))[0]).toContain('at most 256 characters')
})

test('a value as large as a file may be is refused at once', () => {
  const before = process.cpuUsage()
  for (const character of ['a', '/', '.', '-', ':', '@', ' ', '\u202E']) {
    for (const path of [...urls, ...suffixes, ...names, 'tenantId', 'notes']) {
      expect(problemsOf(profileDocument({ [path]: `https://a${character.repeat(1_000_000)}` }))).toHaveLength(1)
    }
  }
  // Microseconds of processor time: an expression that looks back at each character would need hours.
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
})

test('no field of a profile is the name of a service that may be absent', () => {
  const names = notAService.source.slice('^('.length, -')$'.length).split('|')
  expect(names).toEqual(['arm', 'resourceManager', 'login', ...Object.keys(cloudProfileSchema._zod.def.shape)])
})
