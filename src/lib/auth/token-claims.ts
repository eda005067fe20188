import { foldCase, isObject, parseJson, repeatedNames } from '../base/json.ts'

/** `nbf` and `exp` are numbers: seconds since the epoch. */
const names = ['aud', 'iss', 'sub', 'tid', 'oid', 'appid', 'azp', 'nbf', 'exp'] as const
type Name = (typeof names)[number]
type ClaimOf<N> = N extends 'aud' ? string | readonly string[] : N extends 'nbf' | 'exp' ? number : string

/** The claims of an access token that the checks need. */
export type TokenClaims = { readonly [N in Name]?: ClaimOf<N> }

/** The audience decides which host may get a token, so it must not contain a character that two parsers read differently. */
const isIdentifier = (value: unknown): boolean =>
  typeof value === 'string' && /^[\x21-\x5b\x5d-\x7e]{1,2048}$/.test(value)

/** A claim with a wrong type is left out; the others still count. */
function isReadable(name: Name, value: unknown): boolean {
  if (name === 'nbf' || name === 'exp') return Number.isFinite(value)
  if (name !== 'aud') return typeof value === 'string'
  return isIdentifier(value) || (Array.isArray(value) && value.length > 0 && value.every(isIdentifier))
}

/**
 * Reads the claims of a token for diagnosis, without its signature: nothing here trusts the token, and the service that accepts it checks it.
 *
 * @returns `undefined` for an opaque token, which some authorities issue in place of a JWT.
 */
export function readTokenClaims(token: string): TokenClaims | undefined {
  const [, payload = '', ...rest] = token.split('.')
  // An encrypted token has five parts. Parsers disagree about text after a padding.
  if (rest.length !== 1 || !/^[\w-]+={0,2}$/.test(payload)) return undefined
  const text = Buffer.from(payload, 'base64url').toString('utf8')
  const claims = parseJson(text)
  if (!isObject(claims)) return undefined
  const repeated = repeatedNames(text, foldCase)
  if (names.some((name) => repeated.get(name) === 1)) return undefined
  const found = names.filter((name) => isReadable(name, claims[name]))
  return Object.fromEntries(found.map((name) => [name, claims[name]]))
}
