import { describe, expect, test } from 'vitest'
import { parseCloudMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import { metadataDocument } from './fixture.ts'

describe('a document that cannot be used is refused by the name of its field', () => {
  const authentication = (changes: object) => ({
    authentication: { loginEndpoint: 'https://login.enclave.test/', audiences: ['https://a.test/'], ...changes },
  })

  test.each<[string, unknown, RegExp]>([
    ['no object', 'hello', /must be one cloud or a list of clouds/],
    ['null', null, /must be one cloud or a list of clouds, but is null/],
    ['an empty list', [], /an empty list/],
    ['a list of numbers', [1, 2], /a list of something else/],
    ['no authentication', metadataDocument({ authentication: undefined }), /authentication must be/],
    [
      'no login endpoint',
      metadataDocument(authentication({ loginEndpoint: '' })),
      /authentication\.loginEndpoint is missing/,
    ],
    [
      'no audiences',
      metadataDocument(authentication({ audiences: undefined })),
      /authentication\.audiences is missing/,
    ],
    [
      'only empty audiences',
      metadataDocument(authentication({ audiences: ['', null] })),
      /audiences is missing or empty/,
    ],
    [
      'audiences that are no list',
      metadataDocument(authentication({ audiences: 'https://a.test/' })),
      /authentication\.audiences must be/,
    ],
    [
      'an audience that is no URL',
      metadataDocument(authentication({ audiences: ['management'] })),
      /authentication\.audiences\[0\] must be an absolute URL/,
    ],
    [
      'an audience with a query',
      metadataDocument(authentication({ audiences: ['https://a.test/?x=1'] })),
      /audiences\[0\].*query/,
    ],
    [
      'a login endpoint over http',
      metadataDocument(authentication({ loginEndpoint: 'http://login.enclave.test/' })),
      /loginEndpoint must start with https/,
    ],
    [
      'a login endpoint with user information',
      metadataDocument(authentication({ loginEndpoint: 'https://u:secret@l.test/' })),
      /loginEndpoint.*\[redacted\]@l\.test/,
    ],
    [
      'an invalid tenant',
      metadataDocument(authentication({ tenant: '../other' })),
      /authentication\.tenant must be a tenant/,
    ],
    [
      'a portal that is no address',
      metadataDocument({ portalEndpoint: 'javascript:alert(1)' }),
      /portalEndpoint must be an absolute URL/,
    ],
    [
      'an invalid suffix',
      metadataDocument({ suffixes: { storage: 'x/../y' } }),
      /suffixes\.storage must be a DNS suffix/,
    ],
    ['a suffix that is a number', metadataDocument({ suffixes: { keyVaultDns: 7 } }), /suffixes\.keyVaultDns must be/],
  ])('%s', (_name, document, message) => {
    expect(() => parseCloudMetadata(document, 'https://management.enclave.test')).toThrow(
      expect.objectContaining({ code: 'METADATA_INVALID', message: expect.stringMatching(message) as string }),
    )
  })

  test('in a list, the place is named too', () => {
    const document = [
      metadataDocument({ resourceManager: 'https://other.test' }),
      metadataDocument({ resourceManager: 'https://management.enclave.test', ...authentication({ audiences: [] }) }),
    ]
    expect(() => parseCloudMetadata(document, 'https://management.enclave.test')).toThrow(
      /\[1\]\.authentication\.audiences is missing/,
    )
  })
})
