import { readTokenClaims, type TokenClaims } from '../auth/token-claims.ts'
import type { TokenOutcome } from '../auth/outcome-cache.ts'
import { ServiceError, type ErrorCode } from '../errors.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { isoDate } from './iso-date.ts'
import { durationText } from '../base/duration-text.ts'
import { toDiagnosis } from './diagnosis.ts'
import type { FoundCheck } from './found-check.ts'
import { failedCheck } from './probes/layers.ts'
import type { Identity } from './report.ts'

/** Seconds the clocks of two machines may differ without anybody noticing. */
const toleratedSkew = 300

export interface TokenExpectation {
  readonly profile: CloudProfile
  /** The audience that was asked for. */
  readonly audience: string
  /** The tenant that is signed in to, if any is known. */
  readonly tenantId: string | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** The verdict on an acquired token, without showing any of it. */
export function checkToken(token: string, expected: TokenExpectation): FoundCheck[] {
  const claims = readTokenClaims(token)
  if (claims === undefined) {
    return [warn('token.claims', 'TOKEN_OPAQUE', 'The token is no JWT, so its audience and tenant cannot be read')]
  }
  return Object.entries(verdicts).map(([id, verdict]) => {
    try {
      return verdict(id, claims, expected)
    } catch (error) {
      return failedCheck(id, error)
    }
  })
}

type Verdict = (id: string, claims: TokenClaims, expected: TokenExpectation) => FoundCheck

/** The questions to a token, by the id of the check. */
const verdicts: Readonly<Record<string, Verdict>> = {
  'token.audience': checkAudience,
  'token.tenant': checkTenant,
  'token.issuer': checkIssuer,
  'token.lifetime': checkLifetime,
}

/** The outcome of the attempt as a check of its own. */
export function checkAcquired(outcome: TokenOutcome): FoundCheck {
  const { durationMs } = outcome
  const id = 'token.acquired'
  if (outcome.status === 'acquired') return { id, status: 'pass', message: 'A token was acquired', durationMs }
  if (outcome.status === 'pending')
    return { id, status: 'skip', message: 'Waiting for a person to sign in', durationMs }
  return failedCheck(id, outcome.error, durationMs)
}

/** Who the token says this workload is. */
export function readIdentity(token: string): Identity {
  const claims = readTokenClaims(token) ?? {}
  const { tid, oid, appid = claims.azp } = claims
  return {
    ...(isIdentifier(tid) ? { tenantId: tid } : {}),
    ...(isIdentifier(appid) ? { clientId: appid } : {}),
    ...(isIdentifier(oid) ? { objectId: oid } : {}),
  }
}

/** A claim is the authority's text, which is shown only where it has the shape that it should have. */
function isIdentifier(claim: string | undefined): claim is string {
  return claim !== undefined && /^[\w.-]{1,64}$/.test(claim)
}

function showClaim(claim: string): string {
  return /^[\w.:/-]{1,120}$/.test(claim) ? JSON.stringify(claim) : 'something that is no identifier'
}

function checkAudience(id: string, { aud }: TokenClaims, { audience }: TokenExpectation): FoundCheck {
  const audiences = aud === undefined ? [] : [aud].flat()
  if (audiences.includes(audience)) return pass(id, 'The token is for the audience of the profile')
  const trimmed = audience.replace(/\/$/, '')
  if (audiences.some((each) => each.replace(/\/$/, '') === trimmed)) {
    return {
      id,
      status: 'pass',
      code: 'TOKEN_AUDIENCE_SLASH',
      message: 'The token is for the audience of the profile, but for its final slash; services accept both',
      durationMs: 0,
    }
  }
  const shown = audiences.length === 0 ? 'none' : audiences.map(showClaim).join(', ')
  return fail(id, 'TOKEN_AUDIENCE_MISMATCH', `The token is for ${shown}, not for ${audience}`, {
    tokenAudience: shown,
    audience,
  })
}

const expectedClaims = ({ profile, tenantId }: TokenExpectation) => identityProviderOf(profile, tenantId).expectedClaims

function checkTenant(id: string, { tid }: TokenClaims, expected: TokenExpectation): FoundCheck {
  const { tenantId } = expectedClaims(expected)
  if (tid === undefined || tenantId === undefined) return skip(id, 'There is no tenant id to compare')
  if (tid.toLowerCase() === tenantId.toLowerCase()) return pass(id, 'The token is from the tenant asked for')
  return fail(id, 'TOKEN_TENANT_MISMATCH', `The token is from tenant ${showClaim(tid)}, not from ${tenantId}`, {
    tokenTenant: showClaim(tid),
    tenantId,
  })
}

function checkIssuer(id: string, { iss }: TokenClaims, expected: TokenExpectation): FoundCheck {
  if (iss === undefined || !URL.canParse(iss)) return skip(id, 'The token names no issuer that could be compared')
  const { host } = new URL(iss)
  const { issuerHosts } = expectedClaims(expected)
  if (issuerHosts.includes(host)) return pass(id, 'The issuer belongs to the authority of the profile')
  return warn(id, 'TOKEN_ISSUER_MISMATCH', `The token was issued by ${showClaim(host)}, not by ${issuerHosts[0]}`)
}

function checkLifetime(id: string, { nbf, exp }: TokenClaims, { now }: TokenExpectation): FoundCheck {
  const seconds = now / 1000
  if (nbf !== undefined && nbf - toleratedSkew > seconds) {
    return fail(
      id,
      'TOKEN_NOT_YET_VALID',
      `The token becomes valid in ${durationText(nbf - seconds)} by this machine's clock`,
      { notBefore: isoDate(nbf * 1000) },
    )
  }
  if (exp !== undefined && exp <= seconds) {
    return fail(id, 'TOKEN_EXPIRED', `The token ended ${durationText(seconds - exp)} ago by this machine's clock`, {
      endedAt: isoDate(exp * 1000),
    })
  }
  return pass(id, 'The token is valid now')
}

const pass = (id: string, message: string): FoundCheck => ({ id, status: 'pass', message, durationMs: 0 })
const skip = (id: string, message: string): FoundCheck => ({ id, status: 'skip', message, durationMs: 0 })
const fail = (
  id: string,
  code: ErrorCode,
  message: string,
  evidence?: Readonly<Record<string, string | undefined>>,
): FoundCheck => failedCheck(id, new ServiceError(code, message, { evidence }))
const warn = (id: string, code: ErrorCode, message: string): FoundCheck => ({
  id,
  status: 'warn',
  ...toDiagnosis(new ServiceError(code, message)),
  durationMs: 0,
})
