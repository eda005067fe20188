import { describe, expect, test } from 'vitest'
import { fillProfile } from '../../../src/lib/metadata/fill-profile.ts'
import { parseCloudMetadata, parseWholeMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { startCpuTime } from '../../support/cpu-time.ts'
import { errorOf } from '../../support/error-of.ts'
import { metadataDocument } from './fixture.ts'

const endpoint = 'https://management.enclave.test/'
const authentication = { loginEndpoint: 'https://login.enclave.test/', audiences: ['https://management.enclave.test/'] }
const draft = (changes: Record<string, unknown>, asked = endpoint) =>
  fillProfile({ metadata: parseWholeMetadata(metadataDocument(changes), asked), endpoint: asked })

describe('a text of any length is answered at once', () => {
  const long = 150_000
  const withAudiences = (audiences: readonly string[]) => ({ authentication: { ...authentication, audiences } })
  test.each<[string, Record<string, unknown>]>([
    ['slashes in an audience', withAudiences([`https://a.test${'/'.repeat(long)}#`])],
    ['dots in a suffix', { suffixes: { storage: `a${'.'.repeat(long)}` } }],
    ['a tenant', { authentication: { ...authentication, tenant: 'a'.repeat(long) } }],
    ['many audiences', withAudiences(Array.from({ length: long }, () => 'https://a.test/'))],
  ])('%s', (_name, changes) => {
    const cpuTime = startCpuTime()
    expect(errorOf(() => parseCloudMetadata(metadataDocument(changes), endpoint))).toMatchObject({
      code: /^METADATA_(INVALID|CLOUD_NOT_LISTED)$/,
    })
    expect(cpuTime()).toBeLessThan(500)
  })

  test('the longest one allowed passes, one more does not', () => {
    const url = (length: number) => `https://p.test/${'x'.repeat(length - 15)}`
    const parse = (length: number) => parseCloudMetadata(metadataDocument({ portalEndpoint: url(length) }), endpoint)
    expect(parse(2048).portalEndpoint).toHaveLength(2048)
    expect(() => parse(2049)).toThrow(/portalEndpoint must have at most 2048 characters/)
  })
})

test.each(['__proto__', 'constructor'])('the name %s is a name as any other', (name) => {
  const fields = { portalEndpoint: undefined, NAME: { portal: 'https://evil.test/' } }
  const document = JSON.stringify(metadataDocument(fields))
  const metadata = parseCloudMetadata(JSON.parse(document.replace('NAME', name)), endpoint)
  expect(metadata.portalEndpoint).toBeUndefined()
})

describe('the draft derives what has a rule and names the rest', () => {
  test('a last dot of a host goes', () => {
    const { profile, refused } = draft(
      {
        resourceManager: 'https://management.enclave.test./',
        portalEndpoint: 'https://portal.enclave.test.:8443/',
        authentication: { ...authentication, loginEndpoint: 'https://login.enclave.test./' },
        suffixes: { storage: 'core.enclave.test.', keyVaultDns: '.vault.enclave.test.' },
      },
      'https://management.enclave.test./',
    )
    expect(parseCloudProfile(profile)).toMatchObject({
      authorityHost: 'https://login.enclave.test/',
      resourceManagerEndpoint: 'https://management.enclave.test/',
      portalUrl: 'https://portal.enclave.test:8443/',
      serviceDnsSuffixes: { storage: '.blob.core.enclave.test', keyVault: '.vault.enclave.test' },
    })
    expect(refused).toStrictEqual([])
  })

  test('an https answer that names a resource manager without TLS is a warning', () => {
    expect(draft({ resourceManager: 'http://management.enclave.test/' }).warnings).toStrictEqual([
      expect.stringMatching(/over https, but its resource manager http:\/\/management\.enclave\.test\/ has no TLS/),
    ])
    expect(draft({}).warnings).toStrictEqual([])
    expect(draft({}, 'http://management.enclave.test/').warnings).toHaveLength(1)
  })
})
