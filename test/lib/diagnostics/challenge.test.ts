import { describe, expect, test } from 'vitest'
import { compareChallenge, parseChallenge } from '../../../src/lib/diagnostics/token-acceptance.ts'

const authority = 'https://login.enclave.test/t'

test.each([
  [
    'of a resource manager',
    `Bearer authorization_uri="${authority}", error="x", error_description="a, b"`,
    { authority },
  ],
  ['of a key vault', `Bearer authorization="${authority}", resource="urn:v"`, { authority, audience: 'urn:v' }],
  ['of a storage account', `Bearer authorization_uri=${authority} resource_id=urn:s`, { authority, audience: 'urn:s' }],
  ['between two schemes', `X, bearer authorization_uri="${authority}", PoP authorization_uri="a:b"`, { authority }],
  ['without an address', 'Bearer realm="x", authorization_uri="nowhere"', undefined],
  ['of another scheme', 'Basic realm="https://a.test/"', undefined],
  ['that is absent', '', undefined],
])('a WWW-Authenticate header %s is read', (_what, header, challenge) => {
  expect(parseChallenge(header)).toEqual(challenge)
})

describe('a challenge', () => {
  const login = 'https://login.enclave.test/'
  const expected = { url: new URL('https://management.enclave.test/'), audiences: ['https://management.enclave.test/'] }
  const gov = { ...expected, audiences: ['https://management.usgovcloudapi.net/'] }

  test.each([
    [{ authority: 'https://LOGIN.enclave.test/tenant' }, login, expected],
    [{ authority: 'https://login.windows.net/tenant' }, 'https://login.microsoftonline.com/', expected],
    [{ audience: 'https://management.enclave.test' }, login, expected],
    [{ audience: 'https://management.core.usgovcloudapi.net/' }, login, gov],
  ])('%j agrees with the profile', (challenge, authorityHost, resource) => {
    expect(() => compareChallenge(challenge, authorityHost, resource)).not.toThrow()
  })

  test.each([
    [{ authority: 'https://login.microsoftonline.com/t' }, 'CHALLENGE_AUTHORITY_MISMATCH'],
    [{ audience: 'https://management.azure.com/' }, 'CHALLENGE_AUDIENCE_MISMATCH'],
  ])('%j is a %s', (challenge, code) => {
    expect(() => compareChallenge(challenge, login, expected)).toThrow(expect.objectContaining({ code }))
  })

  test('that differs is reported with both values, without user information', () => {
    expect(() => compareChallenge({ audience: 'https://user:hush@a.test/' }, login, expected)).toThrow(
      'management.enclave.test expects tokens for "https://[redacted]@a.test/", but the profile has "https://management.enclave.test/"',
    )
  })
})
