import * as z from 'zod/mini'

/** The claims of an access token that a verdict needs. Times are in seconds since the epoch. */
const TokenClaims = z.object({
  aud: z.optional(z.union([z.string(), z.array(z.string())])),
  iss: z.optional(z.string()),
  tid: z.optional(z.string()),
  oid: z.optional(z.string()),
  appid: z.optional(z.string()),
  azp: z.optional(z.string()),
  nbf: z.optional(z.number()),
  exp: z.optional(z.number()),
})

export type TokenClaims = z.infer<typeof TokenClaims>

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
    return TokenClaims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))).data
  } catch {
    return undefined
  }
}
