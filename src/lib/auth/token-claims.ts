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

/** What each claim must be to be read. One that is something else is left out, and says nothing about the others. */
const readable: Readonly<Record<keyof TokenClaims, (value: unknown) => boolean>> = {
  aud: (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText)),
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
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
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
