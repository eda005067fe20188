import type { CredentialPlan } from '../auth/credential-plan.ts'
import { readCredentialFile } from '../auth/read-credential-file.ts'
import { readTokenClaims } from '../auth/token-claims.ts'
import type { Evidence } from '../errors.ts'

/** An identifier as a federated credential registers it, without spaces or hidden characters. */
const identifier = /^[\x21-\x7e]{1,200}$/

/**
 * What must be registered for a rejected federated token: its issuer, subject and audience. None of them is a secret, and nothing else of the
 * token is read.
 */
export async function assertionEvidence(plan: CredentialPlan | undefined): Promise<Evidence> {
  if (plan?.mode !== 'workloadIdentity') return {}
  try {
    const token = await readCredentialFile(plan.tokenFilePath, 'PLATFORM_FEDERATED_TOKEN_FILE')
    const { iss, sub, aud } = readTokenClaims(token) ?? {}
    const found = { assertionIssuer: iss, assertionSubject: sub, assertionAudience: [aud ?? []].flat()[0] }
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, string] => identifier.test(entry[1] ?? ' ')),
    )
  } catch {
    // The token attempt reports a file that cannot be read.
    return {}
  }
}
