import { describe, expect, test } from 'vitest'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { problemsOf } from '../../support/problems-of.ts'
import { profileDocument } from '../../support/profile-document.ts'

const suffixes = ['storage', 'keyVault', 'sqlServer', 'containerRegistry'].map((key) => `serviceDnsSuffixes.${key}`)
const audiences = ['resourceManagerAudience', ...['arm', 'storage', 'keyVault'].map((key) => `serviceAudiences.${key}`)]
const baseUrls = ['authorityHost', 'resourceManagerEndpoint', ...audiences]
const addresses = ['portalUrl', 'metadataEndpoint']
const urls = [...baseUrls, ...addresses]

describe('Validation, runtime phase', () => {
  test.each(['two\nlines', 'red \u001B[31m', 'nul\u0000', 'c1 \u009B'])(
    'a text with control characters is refused: %j',
    (name) => {
      for (const path of ['name', 'displayName', ...(name.includes('\n') ? [] : ['notes'])]) {
        expect(problemsOf(profileDocument({ [path]: name }))[0]).toContain(`${path}: must not hold control characters`)
      }
    },
  )

  test('notes may have line breaks and tabs', () => {
    const notes = 'first\r\n\tsecond\nthird'
    expect(parseCloudProfile(profileDocument({ notes }))).toMatchObject({ notes })
  })

  test.each([
    ...urls.map((path) => ({ path, most: 2048, ending: '/', start: 'https://host.example/' })),
    ...['name', 'displayName', 'tenantId'].map((path) => ({ path, most: 256, start: '', ending: '' })),
    { path: 'notes', most: 16_384, start: '', ending: '' },
  ])('$path may have $most characters and no more', ({ path, most, start, ending }) => {
    const value = start + 'x'.repeat(most - start.length - ending.length) + ending
    expect(parseCloudProfile(profileDocument({ [path]: value }))).toHaveProperty(path.split('.'), value)
    const [problem = '', ...others] = problemsOf(profileDocument({ [path]: `${start}x${value.slice(start.length)}` }))
    expect(others).toEqual([])
    expect(problem).toContain(`${path}: must be at most ${most} characters long, but is "`)
    expect(problem.length).toBeLessThan(300)
  })

  test('a length counts characters, not bytes', () => {
    const longest = '\u{1F510}'.repeat(256)
    expect(parseCloudProfile(profileDocument({ displayName: longest }))).toHaveProperty('displayName', longest)
    expect(problemsOf(profileDocument({ displayName: '\u{1F510}'.repeat(257) }))[0]).toContain('at most 256 characters')
  })

  test.each(urls)('%s must not hold what nobody sees', (path) => {
    for (const hidden of ['\u0000', '\u001B', '\u007F', '\u009B', '\u00AD', '\u200B', '\u202E', '\u2066', '\uFEFF']) {
      const [problem, ...others] = problemsOf(profileDocument({ [path]: `https://host.example/${hidden}/` }))
      expect(others).toEqual([])
      expect(problem).toMatch(new RegExp(`^${path}: must be an absolute URL without [ -~]*$`))
    }
  })

  test('a value as large as a file may be is refused at once', () => {
    const before = process.cpuUsage()
    for (const character of ['a', '/', '.', '-', ':', '@', ' ', '\u202E']) {
      for (const path of [...urls, ...suffixes, 'name', 'displayName', 'tenantId', 'notes']) {
        expect(problemsOf(profileDocument({ [path]: `https://a${character.repeat(1_000_000)}` }))).toHaveLength(1)
      }
    }
    // Microseconds of processor time: an expression that looks back at each character would need hours.
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
  })

  test.each(['name', 'displayName'])('%s must not be empty', (path) => {
    for (const value of ['', '   ', '\t\n']) {
      expect(problemsOf(profileDocument({ [path]: value }))).toEqual([
        `${path}: must not be empty, but is ${JSON.stringify(value)}`,
      ])
    }
  })

  test.each(
    urls.flatMap((path) =>
      [
        'login.enclave.example/',
        '/relative/',
        '//host/',
        'https:',
        'https:///x/',
        'https://[/',
        'https://h:99999/',
        'https://%00/',
      ].map((value) => ({ path, value })),
    ),
  )('$path must be an absolute URL, which "$value" is not', ({ path, value }) => {
    const [problem, ...others] = problemsOf(profileDocument({ [path]: value }))
    expect(others).toEqual([])
    expect(problem).toMatch(new RegExp(`^${path}: must be an absolute URL`))
    expect(problem?.endsWith(`but is ${JSON.stringify(value)}`)).toBe(true)
  })

  test.each(urls)('%s must not hold spaces or backslashes', (path) => {
    for (const value of [
      ' https://host.example/',
      'https://host.example/ ',
      'https://ho st.example/',
      'https:\\\\host\\',
    ]) {
      expect(problemsOf(profileDocument({ [path]: value }))).toEqual([
        `${path}: must be an absolute URL without spaces or backslashes, but is ${JSON.stringify(value)}`,
      ])
    }
  })

  test.each(baseUrls)('%s must end with "/", and is not repaired', (path) => {
    for (const value of ['https://host.example', 'https://host.example/base', 'HTTPS://host.example/a/b']) {
      expect(problemsOf(profileDocument({ [path]: value }))).toEqual([
        `${path}: must end with "/", but is ${JSON.stringify(value)}`,
      ])
    }
  })

  test.each(baseUrls)('%s may have a path that ends with "/"', (path) => {
    expect(parseCloudProfile(profileDocument({ [path]: 'https://host.example/a/b/' }))).toHaveProperty(
      path,
      'https://host.example/a/b/',
    )
  })

  test.each(['portalUrl', 'metadataEndpoint'])('%s may end without "/"', (path) => {
    for (const value of ['https://host.example', 'https://host.example/metadata/endpoints']) {
      expect(parseCloudProfile(profileDocument({ [path]: value }))).toHaveProperty(path, value)
    }
  })

  test('authorityHost must be https, for the credential library refuses anything else', () => {
    for (const value of ['http://login.enclave.example/', 'ftp://login.enclave.example/']) {
      expect(problemsOf(profileDocument({ authorityHost: value }))).toEqual([
        `authorityHost: must start with https://, but is ${JSON.stringify(value)}`,
      ])
    }
  })

  test.each(['resourceManagerEndpoint', 'portalUrl', 'metadataEndpoint'])('%s may be http or https only', (path) => {
    expect(parseCloudProfile(profileDocument({ [path]: 'http://host.example/' }))).toHaveProperty(
      path,
      'http://host.example/',
    )
    expect(problemsOf(profileDocument({ [path]: 'ftp://host.example/' }))).toEqual([
      `${path}: must start with https:// or http://, but is "ftp://host.example/"`,
    ])
  })

  test.each(audiences)('%s is an identifier and may have any scheme', (path) => {
    expect(parseCloudProfile(profileDocument({ [path]: 'api://11111111-2222/' }))).toHaveProperty(
      path,
      'api://11111111-2222/',
    )
  })

  test.each(urls)('%s must not carry user information, and none is echoed', (path) => {
    for (const value of ['https://user:hunter2@host.example/', 'https://hunter2@host.example/']) {
      const [problem, ...others] = problemsOf(profileDocument({ [path]: value }))
      expect(others).toEqual([])
      expect(problem).toBe(`${path}: must not carry user information, but is "https://[redacted]@host.example/"`)
    }
  })

  test.each(addresses)('%s may carry a query and a fragment', (path) => {
    for (const value of ['https://host.example/#home', 'https://host.example/a?b=c', 'https://host.example?b#c']) {
      expect(parseCloudProfile(profileDocument({ [path]: value }))).toHaveProperty(path, value)
    }
  })

  test.each(baseUrls)('%s must not carry a query or a fragment, and none is echoed', (path) => {
    const rows = [
      ['https://host.example/?sig=hunter2/', 'a query or a fragment'],
      ['https://host.example/#hunter2/', 'a query or a fragment'],
      ['https://host.example/?/', 'a query or a fragment'],
    ]
    for (const [value, what] of rows) {
      const [problem, ...others] = problemsOf(profileDocument({ [path]: value }))
      expect(others).toEqual([])
      expect(problem).toContain(`${path}: must not carry ${what}, but is "https://`)
      expect(problem).not.toContain('hunter2')
    }
  })

  test.each([
    'https://login.enclave.example/11111111-2222-3333-4444-555555555555/',
    'https://login.enclave.example/common/',
    'https://login.enclave.example/organizations/oauth2/',
    'https://login.enclave.example/contoso.example/',
    'https://login.enclave.example/base/contoso.onmicrosoft.us/',
    'https://[::1]/common/',
    'https://login.enclave.example/contoso.example',
    'https://login.enclave.example/11111111222233334444555555555555/',
    'https://login.enclave.example/Common/',
    'https://login.enclave.example/ORGANIZATIONS/',
    'https://login.enclave.example/{tenant}/',
  ])('authorityHost must not hold a tenant: %s', (value) => {
    expect(problemsOf(profileDocument({ authorityHost: value }))).toEqual([
      `authorityHost: must not hold a tenant, which is appended to it: set tenantId, but is "${value}"`,
    ])
  })

  test.each([
    'https://login.enclave.example/adfs/',
    'https://login.enclave.example/v2.0/',
    'https://contoso.onmicrosoft.us/',
    'https://login.enclave.example/commons/',
    'https://[::1]:8443/',
    'https://127.0.0.1:8443/adfs/',
  ])('%s is an authority', (value) => {
    expect(parseCloudProfile(profileDocument({ authorityHost: value })).authorityHost).toBe(value)
  })

  test.each(audiences)('%s is the audience alone, not a scope', (path) => {
    for (const scope of ['.default/', '.default', '.default//', '.Default/', '%2edefault/']) {
      const value = `https://vault.enclave.example/${scope}`
      expect(problemsOf(profileDocument({ [path]: value }))).toEqual([
        `${path}: must be the audience alone: ".default" is appended to it, but is "${value}"`,
      ])
    }
  })

  test.each(suffixes)('%s must start with "."', (path) => {
    expect(problemsOf(profileDocument({ [path]: 'blob.enclave.example' }))).toEqual([
      `${path}: must start with ".", but is "blob.enclave.example"`,
    ])
  })

  test.each(
    suffixes.flatMap((path) =>
      [
        '.',
        '..',
        '.a.',
        '.a..b',
        '.a/b',
        '.a:443',
        '.a b',
        '.-a',
        '.a-',
        '.a_b',
        '.a@b',
        '.a\n',
        '.ä',
        '.1',
        '.0.0.1',
        '.0x7f',
      ].map((value) => ({ path, value })),
    ),
  )('$path must be labels that make a host name, which "$value" does not', ({ path, value }) => {
    const [problem, ...others] = problemsOf(profileDocument({ [path]: value }))
    expect(others).toEqual([])
    expect(problem).toMatch(new RegExp(`^${path}: must be a DNS suffix`))
  })

  test('a DNS suffix may hold capitals, digits, inner hyphens and one label', () => {
    for (const value of ['.Blob.Core-2.enclave.example', '.local', '.2a']) {
      const { serviceDnsSuffixes } = parseCloudProfile(profileDocument({ 'serviceDnsSuffixes.storage': value }))
      expect(serviceDnsSuffixes.storage).toBe(value)
    }
  })

  test.each(['11111111-2222-3333-4444-555555555555', 'adfs', 'contoso.example', 'x'])('%s is a tenant', (tenantId) => {
    expect(parseCloudProfile(profileDocument({ tenantId })).tenantId).toBe(tenantId)
  })

  test.each(['a/b', '../x', '.x', '-x', 'a b', 'a@b', 'a?b', 'a\n'])('%j is no tenant', (tenantId) => {
    expect(problemsOf(profileDocument({ tenantId }))).toEqual([expect.stringMatching(/^tenantId: must be a tenant/)])
  })
})
