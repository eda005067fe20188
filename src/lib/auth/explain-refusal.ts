import { isoDate } from '../base/dates.ts'
import { ServiceError, type ErrorCode } from '../errors.ts'
import { readTokenClaims } from './token-claims.ts'

/** An identifier as a federated credential registers it, without spaces or hidden characters. */
const identifier = /^[\x21-\x7e]{1,200}$/

/**
 * Adds to the error of a rejected federated token what must be registered for it: issuer, subject and audience; and when it expired. None of
 * them is a secret, and nothing else of the token is read.
 *
 * @param readToken Reads the token again. If it fails, the error stays as it is.
 */
export async function explainRejectedAssertion(
  error: ServiceError,
  readToken: () => Promise<string>,
): Promise<ServiceError> {
  if (error.code !== 'CLIENT_ASSERTION_REJECTED') return error
  const token = await tokenOrNothing(readToken)
  const claims = readTokenClaims(token)
  if (token !== '' && claims === undefined) {
    return new ServiceError(error.code, `${error.message}; the file of the federated token holds no JWT`, {
      cause: error.cause,
      evidence: { ...error.evidence, assertionForm: 'no-jwt' },
    })
  }
  const { iss, sub, aud, exp } = claims ?? {}
  const shown = (value: string | undefined) => (value !== undefined && identifier.test(value) ? value : undefined)
  const [issuer, subject, audience] = [iss, sub, [aud ?? []].flat()[0]].map(shown)
  const named = Object.entries({ issuer, subject, audience }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${value}`],
  )
  if (named.length === 0) return error
  const isExpired = exp !== undefined && exp * 1000 < Date.now()
  return new ServiceError(error.code, `${error.message}; the federated token has ${named.join(', ')}`, {
    cause: error.cause,
    evidence: {
      ...error.evidence,
      assertionIssuer: issuer,
      assertionSubject: subject,
      assertionAudience: audience,
      ...(isExpired ? { assertionExpiredAt: isoDate(exp * 1000) } : {}),
    },
  })
}

async function tokenOrNothing(readToken: () => Promise<string>): Promise<string> {
  try {
    return await readToken()
  } catch {
    return ''
  }
}

/** AADSTS numbers that concern a secret, even if the request had none. */
const ofSecret: ReadonlySet<string> = new Set(['AADSTS7000215', 'AADSTS7000222'])

/**
 * A client without a secret cannot have a wrong one: authorities that give no number refuse every client with `invalid_client`, and
 * AADSTS7000218 requires a secret or an assertion.
 *
 * @param code What a refused client means in this mode.
 */
export function refusedClient(code: ErrorCode): (error: ServiceError) => ServiceError {
  return (error) => {
    if (error.code !== 'CLIENT_SECRET_INVALID' || ofSecret.has(error.evidence?.['errorNumber'] ?? '')) return error
    return new ServiceError(code, error.message, { cause: error.cause, evidence: error.evidence ?? {} })
  }
}
