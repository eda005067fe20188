import type { EnclaveAuthMode } from 'cloud-profile-enclave/enclave'
import { openCredential, type CachedCredentialOptions } from '../../../src/lib/auth/credential.ts'
import { ServiceError } from '../../../src/lib/errors.ts'
import { createCredentialPlan, scopeFor } from '../../../src/lib/index.ts'
import type { EnclaveUnderTest } from '../../support/use-enclave.ts'

/** How one attempt with a fresh credential ended: `acquired`, or the code of its error. */
export async function attempt(
  { cloud, files }: EnclaveUnderTest,
  mode: EnclaveAuthMode,
  options: CachedCredentialOptions = {},
): Promise<{ readonly outcome: string; readonly error?: ServiceError }> {
  const credential = openCredential(createCredentialPlan(cloud.profile, cloud.environment(mode, files)), options)
  try {
    await credential.getToken(scopeFor(cloud.resourceManagerAudience))
    return { outcome: 'acquired' }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { outcome: error.code, error }
  }
}
