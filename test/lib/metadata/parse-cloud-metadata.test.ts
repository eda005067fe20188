import { describe, expect, test } from 'vitest'
import { parseCloudMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import { errorOf } from '../../support/error-of.ts'
import { metadataDocument, metadataFixture } from './fixture.ts'

// fill-profile.test.ts reads the real documents of the other clouds.
test('a list yields the entry of the host asked for', () => {
  const endpoint = 'https://MANAGEMENT.chinacloudapi.cn:443/metadata/endpoints?api-version=2019-05-01'
  const [storage, sqlServer] = ['core.chinacloudapi.cn', 'database.chinacloudapi.cn']
  const dnsSuffixes = { storage, keyVault: 'vault.azure.cn', sqlServer, containerRegistry: 'azurecr.cn' }
  expect(parseCloudMetadata(metadataFixture('2019-05-01.array.json'), endpoint)).toEqual({
    resourceManagerEndpoint: 'https://management.chinacloudapi.cn/',
    loginEndpoint: 'https://login.chinacloudapi.cn/',
    audiences: ['https://management.core.chinacloudapi.cn', 'https://management.chinacloudapi.cn'],
    tenant: 'common',
    portalEndpoint: 'https://portal.azure.cn/',
    graphEndpoint: 'https://graph.chinacloudapi.cn/',
    dnsSuffixes,
  })
})

describe('a cloud that is not the one asked for', () => {
  const list = metadataFixture('2019-05-01.array.json')
  const byPort = [metadataDocument({ resourceManager: 'https://management.enclave.test:8443/' })]
  test.each([
    ['in a list, with the listed names', list, /enclave\.test.*management\.azure\.com/],
    ['as a single document', metadataFixture('2022-09-01.public.json'), /./],
    ['by its port', byPort, /8443/],
  ])('is refused %s', (_how, document, message) => {
    const error = errorOf(() => parseCloudMetadata(document, 'https://management.enclave.test'))
    expect(error).toMatchObject({ code: 'METADATA_CLOUD_NOT_LISTED', message })
  })

  test('is found by its port too', () => {
    const { resourceManagerEndpoint } = parseCloudMetadata(byPort, 'https://management.enclave.test:8443')
    expect(resourceManagerEndpoint).toBe('https://management.enclave.test:8443/')
  })

  test('may be malformed in a list without harm', () => {
    const document = [
      { name: 'Broken', resourceManager: 'https://management.azure.com', authentication: 'none' },
      7,
      metadataDocument({ resourceManager: 'https://management.enclave.test' }),
    ]
    const { loginEndpoint } = parseCloudMetadata(document, 'https://management.enclave.test')
    expect(loginEndpoint).toBe('https://login.enclave.test/')
  })
})

describe('pitfalls', () => {
  const asked = 'https://management.enclave.test'

  test('empty text and null mean absent', () => {
    const suffixes = { storage: '', keyVaultDns: null, acrLoginServer: 'registry.enclave.test' }
    const absent = { portalEndpoint: '', graphEndpoint: null, galleryEndpoint: ' ' }
    const parsed = parseCloudMetadata(metadataDocument({ ...absent, suffixes }), asked)
    for (const name of Object.keys(absent)) expect(parsed).not.toHaveProperty(name)
    expect(parsed.dnsSuffixes).toEqual({ containerRegistry: 'registry.enclave.test' })
  })

  test.each(['https://LOGIN.enclave.test', 'https://login.enclave.test:443/', 'https://login.enclave.test//'])(
    'the login endpoint %s is normalized',
    (loginEndpoint) => {
      const document = metadataDocument({ authentication: { loginEndpoint, audiences: ['https://a.test'] } })
      expect(parseCloudMetadata(document, asked).loginEndpoint).toBe('https://login.enclave.test/')
    },
  )

  test('an audience is an identifier and keeps its spelling', () => {
    const audiences = ['', 'https://Management.Enclave.test', 'api://management']
    const document = metadataDocument({ authentication: { loginEndpoint: 'https://l.test', audiences } })
    expect(parseCloudMetadata(document, asked).audiences).toStrictEqual(audiences.slice(1))
  })

  test.each([
    [asked, 'https://management.enclave.test/'],
    ['https://gateway.test/arm/metadata/endpoints', 'https://gateway.test/arm/'],
  ])('a single entry without a resource manager is the cloud that answered: %s is %s', (endpoint, manager) => {
    const document = [metadataDocument({ resourceManager: '' })]
    expect(parseCloudMetadata(document, endpoint).resourceManagerEndpoint).toBe(manager)
  })
})

describe('a document that cannot be used is refused by the name of its field', () => {
  const asked = 'https://management.enclave.test'
  const login = (changes: object) =>
    metadataDocument({
      authentication: { loginEndpoint: 'https://login.enclave.test/', audiences: ['https://a.test/'], ...changes },
    })

  const other = metadataDocument({ resourceManager: 'https://other.test' })

  test.each<[RegExp, unknown]>([
    [/must be one cloud or a list of clouds, but is null/, null],
    [/an empty list/, []],
    [/a list of something else/, [1, 2]],
    [/authentication\.loginEndpoint is missing/, login({ loginEndpoint: '' })],
    [/authentication\.audiences is missing/, login({ audiences: undefined })],
    [/authentication\.audiences must be/, login({ audiences: 'https://a.test/' })],
    [/authentication\.audiences\[0\] must be an absolute URL/, login({ audiences: ['management'] })],
    [/audiences\[0\].*query/, login({ audiences: ['https://a.test/?x=1'] })],
    [/loginEndpoint must start with https/, login({ loginEndpoint: 'http://login.enclave.test/' })],
    [/loginEndpoint.*\[redacted\]@l\.test/, login({ loginEndpoint: 'https://u:secret@l.test/' })],
    [/authentication\.tenant must be a tenant/, login({ tenant: '../other' })],
    [/portalEndpoint must be an absolute URL/, metadataDocument({ portalEndpoint: 'javascript:alert(1)' })],
    [/suffixes\.storage must be a DNS suffix/, metadataDocument({ suffixes: { storage: 'x/../y' } })],
    [/\[1\]\.authentication\.audiences is missing/, [other, { ...login({ audiences: [] }), resourceManager: asked }]],
  ])('%s', (message, document) => {
    expect(errorOf(() => parseCloudMetadata(document, asked))).toMatchObject({ code: 'METADATA_INVALID', message })
  })
})
