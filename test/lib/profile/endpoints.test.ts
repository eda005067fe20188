import { describe, expect, test } from 'vitest'
import { metadataEndpointUrl, metadataUrl, resourceManagerUrl, scopeFor } from '../../../src/lib/profile/endpoints.ts'
import { withValueAt } from '../../../src/lib/profile/field-path.ts'
import { serviceUrl } from '../../../src/lib/profile/service-access.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { errorOf } from '../../support/error-of.ts'
import { profileDocument } from '../../support/profile-document.ts'

const profile = parseCloudProfile(profileDocument())
const based = parseCloudProfile(profileDocument({ resourceManagerEndpoint: 'https://gateway.example:8443/arm/v1/' }))

/** The message of a refused argument, which never repeats a password. */
function refusalOf(work: () => unknown): string {
  const { code, message } = errorOf(work)
  expect(code).toBe('ARGUMENT_INVALID')
  expect(message).not.toContain('hunter2')
  return message
}

describe('serviceUrl', () => {
  test.each(['a', '1', 'my-account', 'A', `a${'b'.repeat(62)}`])('%j is one DNS label', (name) => {
    const { hostname } = new URL(serviceUrl(profile, 'storage', name))
    expect(hostname).toBe(`${name.toLowerCase()}.blob.core.enclave.example`)
  })

  const noLabels = ['', 'a.b', 'a\n', 'ä', 'x:y@evil', `a${'b'.repeat(63)}`, undefined, null, 7, ['a']]
  test.each(noLabels)('%j is not', (name) => {
    expect(refusalOf(() => serviceUrl(profile, 'storage', name as string))).toMatch(/^account must be /)
  })

  test.each(['sql', '__proto__', undefined])('%j is not a service', (service) => {
    expect(refusalOf(() => serviceUrl(profile, service as 'storage', 'data1'))).toMatch(
      /service must be one of storage, /,
    )
  })

  test('a name that no host name may hold is refused in the same way', () => {
    const suffixed = withValueAt(profile, 'serviceDnsSuffixes.storage', '.0.0.256')
    expect(refusalOf(() => serviceUrl(suffixed, 'storage', '127'))).toMatch(/^account must be /)
  })
})

describe('resourceManagerUrl', () => {
  test.each([
    ['subscriptions', 'subscriptions'],
    ['/subscriptions?api-version=2020-01-01&x=a%20b', 'subscriptions?api-version=2020-01-01&x=a%20b'],
    ['', ''],
    ['a/b/../c', 'a/c'],
    ['https://evil.example/x', 'https://evil.example/x'],
    ['@evil.example', '@evil.example'],
    ['%2f%2fevil.example', '%2f%2fevil.example'],
  ])('%j stays below the endpoint', (path, below) => {
    expect(resourceManagerUrl(profile, path)).toBe(`https://management.enclave.example/${below}`)
    expect(resourceManagerUrl(based, path)).toBe(`https://gateway.example:8443/arm/v1/${below}`)
  })

  const message = /^path must stay below the resource manager endpoint/
  test.each(['..', 'a/../../x', '%2e%2e', 'a/%2e%2e/%2e%2e/x', '../v2/'])('%j does not leave a base path', (path) => {
    expect(refusalOf(() => resourceManagerUrl(based, path))).toMatch(message)
  })

  const texts = ['//evil.example', '/\\evil.example', 'a\\..\\..\\b', '\t//evil', 'a\u0000']
  test.each([...texts, undefined, null, 7, ['a']])('%j is refused', (path) => {
    for (const each of [profile, based])
      expect(refusalOf(() => resourceManagerUrl(each, path as string))).toMatch(message)
  })
})

describe('metadataUrl', () => {
  const version = 'api-version=2015-01-01'

  test.each([
    'https://management.enclave.example',
    'https://management.enclave.example/',
    'https://management.enclave.example//metadata//endpoints//',
    'https://management.enclave.example/metadata/endpoints?api-version=2022-09-01#x',
    'HTTPS://MANAGEMENT.enclave.example:443/',
  ])('%s is asked at its one address, with the fixed version', (endpoint) => {
    expect(metadataUrl(endpoint)).toBe(`https://management.enclave.example/metadata/endpoints?${version}`)
  })

  test.each([
    ['https://m.example/x.json?cloud=a%20b&x', `https://m.example/x.json?cloud=a%20b&x&${version}`],
    ['https://m.example/c?api-version=2022-09-01&cloud=a#f', `https://m.example/c?cloud=a&${version}`],
    ['https://m.example/c?api-versions=x', `https://m.example/c?api-versions=x&${version}`],
    ['https://m.example?cloud=a', `https://m.example/metadata/endpoints?cloud=a&${version}`],
  ])('%s keeps its path, with the version set', (endpoint, url) => {
    expect([metadataUrl(endpoint), metadataEndpointUrl(endpoint)]).toEqual([url, url])
  })

  test('a path with a final slash is a resource manager, unless it is known to be a metadata endpoint', () => {
    expect(metadataUrl('https://m.example/a/')).toBe(`https://m.example/a/metadata/endpoints?${version}`)
    expect(metadataEndpointUrl('https://m.example/a/')).toBe(`https://m.example/a/?${version}`)
    expect(metadataEndpointUrl('https://m.example/')).toBe(`https://m.example/metadata/endpoints?${version}`)
  })

  const noEndpoints = ['', 'management.enclave.example', '/metadata/endpoints', 'ftp://m.example/']
  test.each([...noEndpoints, 'https://user:hunter2@m.example/'])('%j is no metadata endpoint', (endpoint) => {
    expect(refusalOf(() => metadataUrl(endpoint))).toMatch(/^endpoint must be an absolute http or https URL/)
  })
})

test.each(['https://management.enclave.example//', 'api://11111111-2222/'])('the scope of %s keeps it', (audience) => {
  expect(scopeFor(audience)).toBe(`${audience}.default`)
})

test.each([
  'https://management.enclave.example/guid',
  'https://management.enclave.example/.default/',
  'https://user:hunter2@management.enclave.example',
  '',
])('%j is refused: it would make the scope of another audience', (audience) => {
  expect(refusalOf(() => scopeFor(audience))).toMatch(/^audience must end with "\/", without "\.default", but is "/)
})
