import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { signingKey } from './keys.ts'
import type { FederatedTrust } from './login/client-assertion.ts'

/** Changes to a service account's token that make the login authority refuse it. */
export interface FederatedTokenOptions {
  readonly issuer?: string
  readonly subject?: string
  /** A cluster issues a token for several audiences if a pod asks for them. */
  readonly audience?: string | readonly string[]
  /** Default is 3600. Negative: already expired. */
  readonly lifetimeSeconds?: number
}

export type Cluster = Awaited<ReturnType<typeof createCluster>>

/** A cluster whose service accounts the application trusts. */
export async function createCluster(domain: string, now: () => number) {
  const key = await signingKey('cluster-token')
  const trust: FederatedTrust = {
    issuer: `https://cluster.${domain}/`,
    // As in deploy/kubernetes.
    subject: 'system:serviceaccount:cloud-profile:cloud-profile',
    audience: 'api://AzureADTokenExchange',
    key,
  }
  return {
    trust,
    /** The contents of a service account's token file. */
    issueToken: ({
      issuer,
      subject,
      audience,
      lifetimeSeconds = 3600,
    }: FederatedTokenOptions = {}): Promise<string> => {
      const seconds = Math.floor(now() / 1000)
      return new SignJWT({ jti: randomUUID() })
        .setProtectedHeader({ alg: 'RS256', kid: key.kid })
        .setIssuer(issuer ?? trust.issuer)
        .setSubject(subject ?? trust.subject)
        .setAudience([audience ?? trust.audience].flat())
        .setIssuedAt(seconds)
        .setNotBefore(seconds + Math.min(0, lifetimeSeconds))
        .setExpirationTime(seconds + lifetimeSeconds)
        .sign(key.privateKey)
    },
  }
}
