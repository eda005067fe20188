import { describe, expect, test } from 'vitest'
import { metadataEndpointUrl, metadataUrl, resourceManagerUrl, scopeFor } from '../../../src/lib/profile/endpoints.ts'
import { withValueAt } from '../../../src/lib/profile/field-path.ts'
import { serviceUrl } from '../../../src/lib/profile/service-access.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { errorOf } from '../../support/error-of.ts'
import { profileDocument } from '../../support/profile-document.ts'

const profile = parseCloudProfile(profileDocument())
const based = parseCloudProfile(profileDocument({ resourceManagerEndpoint: 'https://gateway.example:8443/arm/v1/' }))

describe('serviceUrl', () => {
  test.each(['a', '1', 'my-account', 'A', `a${'b'.repeat(62)}`])('%j is one DNS label', (name) => {
    expect(new URL(serviceUrl(profile, 'storage', name)).hostname).toBe(
      `${name.toLowerCase()}.blob.core.enclave.example`,
    )
  })

  const refusalOf = (service: unknown, name: unknown) =>
    errorOf(() => serviceUrl(profile, service as 'storage', name as string))

  test.each(['', 'a.b', 'a\n', 'ä', 'x:y@evil', `a${'b'.repeat(63)}`, undefined, null, 7, ['a']])(
    '%j is not',
    (name) => {
      expect(refusalOf('storage', name)).toMatchObject({ code: 'ARGUMENT_INVALID', message: /^account must be / })
    },
  )

  test.each(['sql', '__proto__', undefined])('%j is not a service', (service) => {
    const message = /service must be one of storage, /
    expect(refusalOf(service, 'data1')).toMatchObject({ code: 'ARGUMENT_INVALID', message })
  })

  test('a name that no host name may hold is refused in the same way', () => {
    const suffixed = withValueAt(profile, 'serviceDnsSuffixes.storage', '.0.0.256')
    expect(errorOf(() => serviceUrl(suffixed, 'storage', '127'))).toMatchObject({ code: 'ARGUMENT_INVALID' })
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

  test.each(['..', 'a/../../x', '%2e%2e', 'a/%2e%2e/%2e%2e/x', '../v2/'])(
    '%j does not leave the base path of an endpoint',
    (path) => {
      const message = /^path must stay below the resource manager endpoint/
      expect(errorOf(() => resourceManagerUrl(based, path))).toMatchObject({ code: 'ARGUMENT_INVALID', message })
    },
  )

  const noPaths = [undefined, null, 7, ['a']] as unknown as readonly string[]
  test.each(['//evil.example', '/\\evil.example', 'a\\..\\..\\b', '\t//evil', 'a\u0000', ...noPaths])(
    '%j is refused',
    (path) => {
      for (const each of [profile, based]) {
        expect(errorOf(() => resourceManagerUrl(each, path))).toMatchObject({ code: 'ARGUMENT_INVALID' })
      }
    },
  )
})

describe('metadataUrl', () => {
  const address = 'https://management.enclave.example/metadata/endpoints?api-version=2015-01-01'

  test.each([
    'https://management.enclave.example',
    'https://management.enclave.example/',
    'https://management.enclave.example//metadata//endpoints//',
    'https://management.enclave.example/metadata/endpoints?api-version=2022-09-01#x',
    'HTTPS://MANAGEMENT.enclave.example:443/',
  ])('%s is asked at its one address, with the fixed version', (endpoint) => {
    expect(metadataUrl(endpoint)).toBe(address)
  })

  test.each([
    ['https://m.example/x.json?cloud=a%20b&x', 'https://m.example/x.json?cloud=a%20b&x&api-version=2015-01-01'],
    ['https://m.example/c?api-version=2022-09-01&cloud=a#f', 'https://m.example/c?cloud=a&api-version=2015-01-01'],
    ['https://m.example/c?api-versions=x', 'https://m.example/c?api-versions=x&api-version=2015-01-01'],
    ['https://m.example?cloud=a', 'https://m.example/metadata/endpoints?cloud=a&api-version=2015-01-01'],
  ])('%s keeps its path, with the version set', (endpoint, url) => {
    expect(metadataUrl(endpoint)).toBe(url)
    expect(metadataEndpointUrl(endpoint)).toBe(url)
  })

  test('a path with a final slash is a resource manager, unless it is known to be a metadata endpoint', () => {
    expect(metadataUrl('https://m.example/a/')).toBe('https://m.example/a/metadata/endpoints?api-version=2015-01-01')
    expect(metadataEndpointUrl('https://m.example/a/')).toBe('https://m.example/a/?api-version=2015-01-01')
    expect(metadataEndpointUrl('https://m.example/')).toBe(address.replace('management.enclave', 'm'))
  })

  test.each(['', 'management.enclave.example', '/metadata/endpoints', 'ftp://m.example/'])(
    '%j is no metadata endpoint',
    (endpoint) => {
      const message = /^endpoint must be an absolute http or https URL/
      expect(errorOf(() => metadataUrl(endpoint))).toMatchObject({ code: 'ARGUMENT_INVALID', message })
    },
  )

  test('user information is refused and not echoed', () => {
    const { code, message } = errorOf(() => metadataUrl('https://user:hunter2@m.example/'))
    expect(code).toBe('ARGUMENT_INVALID')
    expect(message).not.toContain('hunter2')
  })
})

test.each(['https://management.enclave.example//', 'api://11111111-2222/'])(
  'the scope of %s keeps it verbatim',
  (audience) => {
    expect(scopeFor(audience)).toBe(`${audience}.default`)
  },
)

test.each([
  'https://management.enclave.example/guid',
  'https://management.enclave.example/.default/',
  'https://user:hunter2@management.enclave.example',
  '',
])('%j is refused: it would make the scope of another audience', (audience) => {
  const { code, message } = errorOf(() => scopeFor(audience))
  expect(code).toBe('ARGUMENT_INVALID')
  expect(message).toMatch(/^audience must end with "\/", without "\.default", but is "/)
  expect(message).not.toContain('hunter2')
})
