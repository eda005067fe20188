import { X509Certificate, createHash, randomUUID } from 'node:crypto'
import * as jose from 'jose'
import { domain } from '../named-cloud.ts'
import { LoginError } from './login-error.ts'
import { signingKey } from './token-issuer.ts'

const toleranceSeconds = 5

/**
 * Verifies a client assertion: a JWT signed by the client's certificate (RFC 7523), which has a thumbprint header, or by a federated issuer.
 *
 * @param certificatePem Registered with the application.
 * @param trust The external identity that the application trusts: the service account of a cluster.
 * @param audiences Accepted values of `aud` in an assertion by certificate.
 * @returns A function that throws the {@link LoginError} 50027, 700021, 700023, 700024, 700027, 70021 or 50013.
 */
export function createAssertionVerifier(
  certificatePem: string,
  trust: Awaited<ReturnType<typeof createCluster>>['trust'],
  audiences: readonly string[],
  now: () => number,
) {
  const { raw } = new X509Certificate(certificatePem)
  const thumbprints = new Map([
    ['x5t', createHash('sha1').update(raw).digest('base64url')],
    ['x5t#S256', createHash('sha256').update(raw).digest('base64url')],
  ])
  return async (assertion: string, clientId: string): Promise<void> => {
    const { header, claims } = decode(assertion)
    const { iss, sub, nbf = 0, exp } = claims
    // Kubernetes writes `aud` as an array, and a client can write anything.
    const audience = [claims['aud']].flat().filter((each) => typeof each === 'string')
    if ([...thumbprints.keys()].some((name) => name in header)) {
      if (iss !== clientId || sub !== clientId) throw new LoginError(700021)
      // MSAL for Python pads the thumbprint, contrary to RFC 7515. The real authorities accept it.
      const isKnown = [...thumbprints].some(([name, value]) => String(header[name]).replaceAll('=', '') === value)
      if (!isKnown) throw new LoginError(700027, 'No certificate of the application has this thumbprint.')
      const algorithm = header['alg'] === 'PS256' ? 'PS256' : 'RS256'
      await expectSignature(assertion, await jose.importX509(certificatePem, algorithm), algorithm, 700027)
      if (!audience.some((each) => audiences.includes(each))) throw new LoginError(700023)
    } else {
      if (iss !== trust.issuer || sub !== trust.subject || !audience.includes(trust.audience)) {
        const [issuer, subject] = [iss, sub].map((claim) => (typeof claim === 'string' ? claim : ''))
        throw new LoginError(70021, `Issuer: '${issuer}'. Subject: '${subject}'. Audience: '${audience.join()}'.`)
      }
      // For an invalid signature, the number differs from 700027, the number for a certificate.
      await expectSignature(assertion, trust.key.publicKey, 'RS256', 50013)
    }
    const seconds = now() / 1000
    const isValid = secondsOf(nbf) <= seconds + toleranceSeconds && secondsOf(exp) > seconds - toleranceSeconds
    if (!isValid) throw new LoginError(700024)
  }
}

async function expectSignature(assertion: string, key: jose.CryptoKey, algorithm: string, number: number) {
  await jose.compactVerify(assertion, key, { algorithms: [algorithm] }).catch(() => {
    throw new LoginError(number)
  })
}

type Members = Readonly<Record<string, unknown>>

function decode(assertion: string): { readonly header: Members; readonly claims: Members } {
  try {
    return { claims: jose.decodeJwt(assertion), header: { ...jose.decodeProtectedHeader(assertion) } }
  } catch {
    throw new LoginError(50027)
  }
}

/** MSAL.NET writes the times as strings. The real authorities accept them. */
function secondsOf(claim: unknown): number {
  return typeof claim === 'number' || typeof claim === 'string' ? Number(claim) : Number.NaN
}

/** Changes to the token of a service account, so that the login authority refuses it. */
export interface FederatedTokenOptions {
  readonly issuer?: string
  readonly subject?: string
  /** A list, as for a pod that requests several audiences. */
  readonly audience?: string | readonly string[]
  /** Default is 3600. With a negative number, the token has already expired. */
  readonly lifetimeSeconds?: number
}

/** A cluster with a service account that the application trusts. */
export async function createCluster(audience: string | undefined, now: () => number) {
  const key = await signingKey('cluster-token')
  const trust = {
    issuer: `https://cluster.${domain}/`,
    // The service account of deploy/kubernetes.
    subject: 'system:serviceaccount:cloud-profile:cloud-profile',
    // cloud-profile-ignore: the default of an enclave without a named cloud
    audience: audience ?? 'api://AzureADTokenExchange',
  }
  return {
    trust: { ...trust, key },
    /** The contents of a service account's token file. */
    issueToken: ({ lifetimeSeconds = 3600, ...changes }: FederatedTokenOptions = {}): Promise<string> => {
      const seconds = Math.floor(now() / 1000)
      const { issuer, subject, audience: aud } = { ...trust, ...changes }
      return new jose.SignJWT({ jti: randomUUID() })
        .setProtectedHeader({ alg: 'RS256', kid: key.kid })
        .setIssuer(issuer)
        .setSubject(subject)
        .setAudience([aud].flat())
        .setIssuedAt(seconds)
        .setNotBefore(seconds + Math.min(0, lifetimeSeconds))
        .setExpirationTime(seconds + lifetimeSeconds)
        .sign(key.privateKey)
    },
  }
}
