import { foldCase, isObject, parseJson, repeatedNames } from '../base/json.ts'

const texts = ['iss', 'sub', 'tid', 'oid', 'appid', 'azp'] as const
/** In seconds since the epoch. */
const times = ['nbf', 'exp'] as const

/** The claims of an access token that the checks need. */
export type TokenClaims = { readonly aud?: string | readonly string[] } & {
  readonly [K in (typeof texts)[number]]?: string
} & { readonly [K in (typeof times)[number]]?: number }

/** The audience decides which host may get a token, so it must not contain a character that two parsers read differently. */
const isIdentifier = (value: unknown): boolean =>
  typeof value === 'string' && /^[\x21-\x5b\x5d-\x7e]{1,2048}$/.test(value)

/** How each claim is read. A claim with a wrong type is left out; the others still count. */
const readable: readonly (readonly [name: string, isReadable: (value: unknown) => boolean])[] = [
  ['aud', (value) => isIdentifier(value) || (Array.isArray(value) && value.length > 0 && value.every(isIdentifier))],
  ...texts.map((name) => [name, (value: unknown) => typeof value === 'string'] as const),
  ...times.map((name) => [name, Number.isFinite] as const),
]

/**
 * Reads the claims of a token for diagnosis. It doesn't check the signature: nothing here trusts the token, and
 * the service that accepts it checks it.
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
  if (readable.some(([name]) => repeated.get(name) === 1)) return undefined
  const found = readable.filter(([name, isReadable]) => isReadable(claims[name]))
  return Object.fromEntries(found.map(([name]) => [name, claims[name]]))
}
