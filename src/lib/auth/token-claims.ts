import { foldCase, isObject, parseJson, repeatedNames } from '../base/json.ts'

/** The claims of an access token that the checks need. Times are in seconds since the epoch. */
export interface TokenClaims {
  readonly aud?: string | readonly string[]
  readonly iss?: string
  readonly sub?: string
  readonly tid?: string
  readonly oid?: string
  readonly appid?: string
  readonly azp?: string
  readonly nbf?: number
  readonly exp?: number
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isTime = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)

/** The audience decides which host may get a token, so it must not contain a character that two parsers read differently. */
const isIdentifier = (value: unknown): boolean =>
  typeof value === 'string' && /^[\x21-\x5b\x5d-\x7e]{1,2048}$/.test(value)

/** A claim with a wrong type is left out; the others still count. */
const readable: Readonly<Record<keyof TokenClaims, (value: unknown) => boolean>> = {
  aud: (value) => isIdentifier(value) || (Array.isArray(value) && value.length > 0 && value.every(isIdentifier)),
  iss: isText,
  sub: isText,
  tid: isText,
  oid: isText,
  appid: isText,
  azp: isText,
  nbf: isTime,
  exp: isTime,
}

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
  if (Object.keys(readable).some((name) => repeated.get(name) === 1)) return undefined
  return Object.fromEntries(
    Object.entries(readable).flatMap(([name, isReadable]) => (isReadable(claims[name]) ? [[name, claims[name]]] : [])),
  )
}
