import { X509Certificate } from 'node:crypto'
import type { TokenOutcome } from '../auth/token-cache.ts'
import { readTokenClaims, type TokenClaims } from '../auth/token-claims.ts'
import { withoutFinalSlashes } from '../base/address.ts'
import { endOf, renewalDays } from '../base/certificates.ts'
import { durationText, isoDate } from '../base/dates.ts'
import { readRegularFile } from '../base/files.ts'
import { withoutUndefined } from '../base/json.ts'
import { ServiceError } from '../errors.ts'
import type { IdentityProvider } from '../profile/identity-provider.ts'
import type { Settings } from '../settings/settings.ts'
import { failedCheck, type Place, runCheck, skippedCheck } from './checks.ts'
import { toleratedSeconds } from './probes/probe-authority.ts'
import { NetworkError } from '../transport/network-error.ts'
import type { Identity } from './report.ts'
import type { Check, Observation } from './run.ts'

type TokenExpectation = IdentityProvider['expectedClaims'] & {
  /** The audience that the token was requested for. */
  readonly audience: string
  /** The id of the endpoint that issued the token: `authority` or `identity-endpoint`. */
  readonly issuedBy: string
}

/** Checks the claims of an acquired token. The results contain no part of the token. */
export async function checkToken(token: string, expected: TokenExpectation): Promise<readonly Check[]> {
  const place = (id: string): Place => ({ id, endpoint: expected.issuedBy, layer: 'token', of: 'claims' })
  const claims = readTokenClaims(token)
  const message = 'The token is not a JWT, so its audience and tenant cannot be read'
  if (claims === undefined)
    return [await runCheck(place('token.claims'), () => ({ status: 'warn', code: 'TOKEN_OPAQUE', message }))]
  const compared = { audience: checkAudience, tenant: checkTenant, issuer: checkIssuer, lifetime: checkLifetime }
  return Promise.all(
    Object.entries(compared).map(([name, compare]) =>
      runCheck(place(`token.${name}`), () => compare(claims, expected)),
    ),
  )
}

export function checkAcquired(outcome: TokenOutcome, issuedBy: string): Check {
  const { durationMs } = outcome
  const place: Place = { id: 'token.acquired', endpoint: issuedBy, layer: 'token', of: 'attempt' }
  if (outcome.status === 'failed') {
    const role = outcome.error instanceof NetworkError ? outcome.error.role : undefined
    // The default chain tries an identity endpoint even if this host has none.
    const isElsewhere = issuedBy !== 'identity-endpoint' && role === 'IDENTITY_ENDPOINT'
    return failedCheck(isElsewhere ? { ...place, endpoint: 'workload' } : place, outcome.error, durationMs)
  }
  if (outcome.status === 'acquired') return { ...place, status: 'pass', message: 'A token was acquired', durationMs }
  return { ...skippedCheck(place, 'Waiting for a person to sign in'), durationMs }
}

/** The identity of this workload according to the token. */
export function readIdentity(token: string): Identity {
  const claims = readTokenClaims(token) ?? {}
  const { tid, oid, appid = claims.azp } = claims
  // Claims are remote text, so only values in the shape of an identifier are shown.
  const [tenantId, clientId, objectId] = [tid, appid, oid].map((id = '') => /^[\w.-]{1,64}$/.exec(id)?.[0])
  return withoutUndefined({ tenantId, clientId, objectId })
}

/** A claim for a message. Remote text is shown only in the shape of an identifier. */
export const showClaim = (claim: string): string =>
  /^[\w.:/-]{1,120}$/.test(claim) ? JSON.stringify(claim) : 'text that is not an identifier'

function checkAudience({ aud }: TokenClaims, { audience }: TokenExpectation): Observation {
  const audiences = aud === undefined ? [] : [aud].flat()
  if (audiences.includes(audience)) return { message: 'The token is for the audience of the profile' }
  const trimmed = withoutFinalSlashes(audience)
  const message = 'The token is for the audience of the profile without its final slash. Services accept both'
  if (audiences.some((each) => withoutFinalSlashes(each) === trimmed)) return { code: 'TOKEN_AUDIENCE_SLASH', message }
  const shown = audiences.length === 0 ? 'none' : audiences.map(showClaim).join(', ')
  const evidence = { tokenAudience: shown, audience }
  throw new ServiceError('TOKEN_AUDIENCE_MISMATCH', `The token is for ${shown}, not for "${audience}"`, { evidence })
}

function checkTenant({ tid }: TokenClaims, { tenantId }: TokenExpectation): Observation {
  if (tid === undefined || tenantId === undefined)
    return { status: 'skip', message: 'There is no tenant id to compare' }
  if (tid.toLowerCase() === tenantId.toLowerCase()) return { message: 'The token is from the requested tenant' }
  const evidence = { tokenTenant: showClaim(tid), tenantId }
  const message = `The token is from tenant ${showClaim(tid)}, not from ${tenantId}`
  throw new ServiceError('TOKEN_TENANT_MISMATCH', message, { evidence })
}

function checkIssuer({ iss }: TokenClaims, { issuerHosts }: TokenExpectation): Observation {
  const issuer = URL.parse(iss ?? '')
  if (issuer === null) return { status: 'skip', message: 'The token names no issuer to compare' }
  if (issuerHosts.includes(issuer.host)) return { message: 'The issuer belongs to the authority of the profile' }
  const message = `The token was issued by ${showClaim(issuer.host)}, not by ${issuerHosts[0]}`
  return { status: 'warn', code: 'TOKEN_ISSUER_MISMATCH', message }
}

function checkLifetime({ nbf, exp }: TokenClaims): Observation {
  const seconds = Date.now() / 1000
  if (nbf !== undefined && nbf - toleratedSeconds > seconds) {
    const message = `The token becomes valid in ${durationText(nbf - seconds)} by this machine's clock`
    throw new ServiceError('TOKEN_NOT_YET_VALID', message, { evidence: { validFrom: isoDate(nbf * 1000) } })
  }
  if (exp !== undefined && exp <= seconds) {
    const message = `The token expired ${durationText(seconds - exp)} ago by this machine's clock`
    throw new ServiceError('TOKEN_EXPIRED', message, { evidence: { expiredAt: isoDate(exp * 1000) } })
  }
  return { message: 'The token is valid now' }
}

/** Checks when the credential expires. Only a certificate contains the date. */
export async function checkCredential(settings: Pick<Settings, 'authMode' | 'clientCertificatePath'>) {
  const { authMode, clientCertificatePath: path } = settings
  const place = { id: 'credential.expiry' }
  if (authMode === 'clientSecret')
    return { check: skippedCheck(place, 'Only the login authority knows when a client secret expires') }
  const end = authMode === 'clientCertificate' && path !== undefined ? endOfFile(path) : Number.NaN
  const expiresOn = isoDate(end)
  if (expiresOn === undefined) return {}
  const seconds = (end - Date.now()) / 1000
  const date = expiresOn.slice(0, 10)
  const words = seconds > 0 ? `expires in ${durationText(seconds)}, on` : 'expired on'
  const check = await runCheck(place, () => ({
    message: `The client certificate ${words} ${date}`,
    ...(seconds < renewalDays * 86_400 && {
      status: 'warn',
      code: 'CERTIFICATE_EXPIRES_SOON',
      evidence: { variable: 'PLATFORM_CLIENT_CERTIFICATE_PATH', validTo: date },
    }),
  }))
  return { check, expiresOn }
}

/** When the first certificate of a file expires. `NaN` if the file can't be read: the token attempt reports why. */
function endOfFile(path: string): number {
  try {
    return endOf(new X509Certificate(readRegularFile(path, 1024 * 1024)))
  } catch {
    return Number.NaN
  }
}
