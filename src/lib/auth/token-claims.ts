/** The claims of an access token that a verdict needs. Times are in seconds since the epoch. */
export interface TokenClaims {
  readonly aud?: string | readonly string[]
  readonly iss?: string
  readonly tid?: string
  readonly oid?: string
  readonly appid?: string
  readonly azp?: string
  readonly nbf?: number
  readonly exp?: number
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isTime = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)

/** An identifier of a resource, by which alone is judged who may see a token: as it stands, with nothing in it that two readers read in two ways. */
const isIdentifier = (value: unknown): boolean =>
  typeof value === 'string' && /^[\x21-\x5b\x5d-\x7e]{1,2048}$/.test(value)

/** What each claim must be to be read. One that is something else is left out, and says nothing about the others. */
const readable: Readonly<Record<keyof TokenClaims, (value: unknown) => boolean>> = {
  aud: (value) => isIdentifier(value) || (Array.isArray(value) && value.length > 0 && value.every(isIdentifier)),
  iss: isText,
  tid: isText,
  oid: isText,
  appid: isText,
  azp: isText,
  nbf: isTime,
  exp: isTime,
}

/**
 * Reads the claims of a token for diagnosis. The signature is not checked: the token was not sent to us to be trusted,
 * and the service it is for checks it.
 *
 * @returns `undefined` for a token that is no JWT; some authorities issue opaque ones.
 */
export function readTokenClaims(token: string): TokenClaims | undefined {
  if (last?.token !== token) last = { token, claims: parseTokenClaims(token) }
  return last.claims
}

/** The token in force is looked at by every request; its claims are read once. */
let last: { readonly token: string; readonly claims: TokenClaims | undefined } | undefined

function parseTokenClaims(token: string): TokenClaims | undefined {
  const [, payload = '', ...rest] = token.split('.')
  // An encrypted one has five parts. What stands behind a padding, some would read and some not.
  if (rest.length !== 1 || !/^[\w-]+={0,2}$/.test(payload)) return undefined
  try {
    const text = Buffer.from(payload, 'base64url').toString('utf8')
    const claims: unknown = JSON.parse(text)
    // Of a name that stands there twice, each reader takes another.
    if (text.split('"aud"').length > 2) return undefined
    if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) return undefined
    return Object.fromEntries(
      Object.entries(readable).flatMap(([name, isReadable]) => {
        const value: unknown = Object.hasOwn(claims, name) ? (claims as Record<string, unknown>)[name] : undefined
        return isReadable(value) ? [[name, value]] : []
      }),
    )
  } catch {
    return undefined
  }
}
