import { type JWTPayload, errors } from 'jose'
import type { EnclaveRequest } from './http/answer.ts'
import type { TokenIssuer } from './login/token-issuer.ts'

/** The reason for refusing a token. */
export type BearerRefusal = 'missing' | 'expired' | 'wrong-audience' | 'invalid'

export type BearerVerdict =
  | { readonly accepted: true; readonly claims: JWTPayload }
  | { readonly accepted: false; readonly reason: BearerRefusal }

/** Checks the token of a request: signature, issuer, audience (slash or not) and time. */
export async function checkBearer(
  request: EnclaveRequest,
  issuer: TokenIssuer,
  audiences: readonly string[],
): Promise<BearerVerdict> {
  const token = /^Bearer (?<token>\S+)$/i.exec(request.headers.authorization ?? '')?.groups?.['token']
  if (token === undefined) return { accepted: false, reason: 'missing' }
  try {
    return { accepted: true, claims: await issuer.verify(token, audiences) }
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { accepted: false, reason: 'expired' }
    const isAudience = error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud'
    return { accepted: false, reason: isAudience ? 'wrong-audience' : 'invalid' }
  }
}
