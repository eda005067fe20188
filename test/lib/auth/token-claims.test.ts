import { describe, expect, test } from 'vitest'
import { requireUsable } from '../../../src/lib/auth/acquire-token.ts'
import { readTokenClaims } from '../../../src/lib/auth/token-claims.ts'

const audience = 'https://management.enclave.test/'
const encode = (text: string) => Buffer.from(text).toString('base64url')
const payload = encode(JSON.stringify({ aud: audience }))
const tokenOf = (text: string) => `h.${encode(text)}.s`
const audOf = (token: string) => readTokenClaims(token)?.aud

describe('The audience of a token', () => {
  test('is read as a text and as a list, beside claims of a wrong type', () => {
    for (const aud of [audience, [audience, 'https://other.test']])
      expect(audOf(tokenOf(JSON.stringify({ aud, exp: 'soon', iss: 7 })))).toEqual(aud)
  })

  test.each([
    ['an object', { aud: audience }],
    ['a list in a list', [[audience]]],
    ['a list with something else in it', [audience, 7]],
    ['a text with a line break, which an address loses', 'https://management.\nenclave.test/'],
    ['a text with a space before it', ` ${audience}`],
    ['a text in other letters', 'https://ｍanagement.enclave.test/'],
    ['a text without end', `https://management.enclave.test/${'a'.repeat(3000)}`],
  ])('is not read as %s', (_what, aud) => {
    expect(audOf(tokenOf(JSON.stringify({ aud })))).toBeUndefined()
  })

  test.each([
    ['no JWT', 'opaque'],
    ['an encrypted one of five parts', `h.${payload}.iv.text.tag`],
    ['two payloads in one part', `h.${payload}==${payload}.s`],
    ['a payload with other signs between', `h.${payload.slice(0, 8)}!${payload.slice(8)}.s`],
    ['a payload that is a list', tokenOf(JSON.stringify([{ aud: audience }]))],
    ['one that names two', tokenOf(`{"aud":"https://vault.test/","aud":"${audience}"}`)],
    ['one that names two, one escaped', tokenOf(String.raw`{"\u0061ud":"https://vault.test/","aud":"${audience}"}`)],
    ['one that names two beside an object that does', tokenOf('{"x":{"aud":1,"aud":2},"aud":"a:a","aud":"b:b"}')],
    ['one that names two in other letter case', tokenOf(`{"aud":"${audience}","AUD":"https://vault.test/"}`)],
    ['one whose audience is inherited', tokenOf(`{"__proto__":{"aud":"${audience}"}}`)],
  ])('is not read from %s', (_what, token) => {
    expect(audOf(token)).toBeUndefined()
  })

  test('another claim is not read either from one that names it twice, with a letter that folds into its own', () => {
    expect(readTokenClaims(tokenOf('{"iss":"https://a.test/","i\u017fs":"https://b.test/"}'))?.iss).toBeUndefined()
  })

  test('is read beside a repeated name of another claim or of a claim within', () => {
    expect(audOf(tokenOf(`{"aud":"${audience}","x":1,"x":{"aud":[{"aud":"}"}],"aud":2}}`))).toBe(audience)
  })
})

const year = 31_557_600_000

test.each([0, Date.now(), Date.now() + 90 * year])('a token that ends at %d is usable', (expiresOnTimestamp) => {
  expect(requireUsable({ token: 't', expiresOnTimestamp })).toMatchObject({ token: 't', expiresOnTimestamp })
})

test.each([
  // A Date cannot represent these.
  ...[Number.NaN, Infinity, -1, 8.64e15, 1e17, Date.now() + 101 * year].map(
    (expiresOnTimestamp) => [{ token: 't', expiresOnTimestamp }, 'invalid expiry'] as const,
  ),
  [null, 'returned no token'] as const,
  [{ token: '', expiresOnTimestamp: Date.now() }, 'returned no token'] as const,
])('%j is not: %s', (found, problem) => {
  expect(() => requireUsable(found)).toThrow(problem)
})
