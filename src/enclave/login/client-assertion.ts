import { X509Certificate, createHash } from 'node:crypto'
import {
  type JWTPayload,
  type JWTVerifyOptions,
  type ProtectedHeaderParameters,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  importX509,
  jwtVerify,
} from 'jose'
import type { SigningKey } from '../keys.ts'
import { LoginError } from './login-error.ts'

/** The external identity that the application trusts: a cluster's service account. */
export interface FederatedTrust {
  readonly issuer: string
  readonly subject: string
  readonly audience: string
  readonly key: SigningKey
}

export interface AssertionVerifierOptions {
  /** The certificate registered with the application. */
  readonly certificatePem: string
  readonly federation: FederatedTrust
  /** Accepted values of `aud` in a certificate assertion. */
  readonly audiences: readonly string[]
  /** Refuses a `jti` that was used before. */
  readonly once: boolean
  readonly now: () => number
}

/** @throws {LoginError} 50027, 700021, 700023, 700024, 700027, 70021 or 50013. */
export type VerifyAssertion = (assertion: string, clientId: string) => Promise<void>

/**
 * Verifies a client assertion: a JWT signed with the key of the client's certificate (RFC 7523), or by a federated issuer. A
 * certificate assertion has a thumbprint header.
 */
export function createAssertionVerifier(options: AssertionVerifierOptions): VerifyAssertion {
  const { certificatePem, federation, audiences, once } = options
  const certificate = new X509Certificate(certificatePem)
  const thumbprints = new Map([
    ['x5t', createHash('sha1').update(certificate.raw).digest('base64url')],
    ['x5t#S256', createHash('sha256').update(certificate.raw).digest('base64url')],
  ])
  const seen = new Set<string>()
  const clock = (): JWTVerifyOptions => ({ currentDate: new Date(options.now()), clockTolerance: 5 })

  const verifyCertificateAssertion = async (assertion: string, header: ProtectedHeaderParameters, clientId: string) => {
    const claims = decodeJwt(assertion)
    if (claims.iss !== clientId || claims.sub !== clientId) throw new LoginError(700021)
    // Python's library pads the thumbprint, contrary to RFC 7515. The real authorities accept it.
    const shown = (name: string): string => String((header as Record<string, unknown>)[name]).replaceAll('=', '')
    const known = [...thumbprints].some(([name, value]) => shown(name) === value)
    if (!known) throw new LoginError(700027, 'No certificate of the application has this thumbprint.')
    const algorithm = header.alg === 'PS256' ? 'PS256' : 'RS256'
    const key = await importX509(certificatePem, algorithm)
    await jwtVerify(assertion, key, {
      algorithms: [algorithm],
      audience: [...audiences],
      requiredClaims: ['exp', 'jti'],
      ...clock(),
    }).catch(explainCertificateFailure)
    refuseReplay(claims)
  }

  const verifyFederatedAssertion = async (assertion: string) => {
    const { iss, sub, aud } = decodeJwt(assertion)
    if (iss !== federation.issuer || sub !== federation.subject || aud !== federation.audience) {
      throw new LoginError(70021, `Issuer: '${iss}'. Subject: '${sub}'. Audience: '${String(aud)}'.`)
    }
    await jwtVerify(assertion, federation.key.publicKey, { algorithms: ['RS256'], requiredClaims: ['exp'], ...clock() })
      // The number for a signature differs from that for a certificate.
      .catch((error: unknown) => {
        throw new LoginError(error instanceof errors.JWTExpired || isClaim(error, 'nbf') ? 700024 : 50013)
      })
  }

  const refuseReplay = ({ jti }: JWTPayload): void => {
    if (!once || jti === undefined) return
    if (seen.has(jti)) throw new LoginError(50013, 'It was used before.')
    seen.add(jti)
  }

  return async (assertion, clientId) => {
    const header = headerOf(assertion)
    const hasThumbprint = [...thumbprints.keys()].some((name) => name in header)
    if (hasThumbprint) await verifyCertificateAssertion(assertion, header, clientId)
    else await verifyFederatedAssertion(assertion)
  }
}

function headerOf(assertion: string): ProtectedHeaderParameters {
  try {
    decodeJwt(assertion)
    return decodeProtectedHeader(assertion)
  } catch {
    throw new LoginError(50027)
  }
}

function explainCertificateFailure(error: unknown): never {
  if (error instanceof errors.JWTExpired || isClaim(error, 'nbf')) throw new LoginError(700024)
  if (isClaim(error, 'aud')) throw new LoginError(700023)
  throw new LoginError(700027)
}

function isClaim(error: unknown, claim: string): boolean {
  return error instanceof errors.JWTClaimValidationFailed && error.claim === claim
}
