import { describe, expect, test } from 'vitest'
import { parseCloudMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import { metadataDocument } from './fixture.ts'

describe('a document that cannot be used is refused by the name of its field', () => {
  const asked = 'https://management.enclave.test'
  const login = (changes: object) =>
    metadataDocument({
      authentication: { loginEndpoint: 'https://login.enclave.test/', audiences: ['https://a.test/'], ...changes },
    })

  test.each<[RegExp, unknown]>([
    [/must be one cloud or a list of clouds/, 'hello'],
    [/must be one cloud or a list of clouds, but is null/, null],
    [/an empty list/, []],
    [/a list of something else/, [1, 2]],
    [/authentication must be/, metadataDocument({ authentication: undefined })],
    [/authentication\.loginEndpoint is missing/, login({ loginEndpoint: '' })],
    [/authentication\.audiences is missing/, login({ audiences: undefined })],
    [/audiences is missing or empty/, login({ audiences: ['', null] })],
    [/authentication\.audiences must be/, login({ audiences: 'https://a.test/' })],
    [/authentication\.audiences\[0\] must be an absolute URL/, login({ audiences: ['management'] })],
    [/audiences\[0\].*query/, login({ audiences: ['https://a.test/?x=1'] })],
    [/loginEndpoint must start with https/, login({ loginEndpoint: 'http://login.enclave.test/' })],
    [/loginEndpoint.*\[redacted\]@l\.test/, login({ loginEndpoint: 'https://u:secret@l.test/' })],
    [/authentication\.tenant must be a tenant/, login({ tenant: '../other' })],
    [/portalEndpoint must be an absolute URL/, metadataDocument({ portalEndpoint: 'javascript:alert(1)' })],
    [/suffixes\.storage must be a DNS suffix/, metadataDocument({ suffixes: { storage: 'x/../y' } })],
    [/suffixes\.keyVaultDns must be/, metadataDocument({ suffixes: { keyVaultDns: 7 } })],
    [
      /\[1\]\.authentication\.audiences is missing/,
      [
        metadataDocument({ resourceManager: 'https://other.test' }),
        { ...login({ audiences: [] }), resourceManager: asked },
      ],
    ],
  ])('%s', (message, document) => {
    expect(() => parseCloudMetadata(document, asked)).toThrow(
      expect.objectContaining({ code: 'METADATA_INVALID', message: expect.stringMatching(message) as string }),
    )
  })
})
