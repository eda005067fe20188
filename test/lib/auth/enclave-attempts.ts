import type { Enclave, EnclaveAuthMode, EnclaveFiles, EnclaveOptions } from '../../../src/enclave/enclave.ts'
import { createCredentialPlan } from '../../../src/lib/index.ts'
import { openCredential, type CachedCredentialOptions } from '../../../src/lib/auth/credential.ts'
import { ServiceError } from '../../../src/lib/errors.ts'
import type { Env } from '../../../src/lib/base/env.ts'
import { scopeFor } from '../../../src/lib/profile/endpoints.ts'
import type { TraceStep } from '../../../src/lib/transport/attempt.ts'
import { useEnclave as useOneEnclave } from '../../support/use-enclave.ts'

/** How one attempt ended: `acquired`, or the code of its error, with all that was printable about it. */
export interface AttemptResult {
  readonly outcome: string
  readonly error?: ServiceError
  readonly token?: string
  readonly trace: readonly TraceStep[]
}

export interface RunningEnclave {
  readonly enclave: Enclave
  readonly files: EnclaveFiles
  /** One attempt with a fresh credential. */
  attempt(
    mode: EnclaveAuthMode,
    options?: CachedCredentialOptions & { readonly env?: Env; readonly audience?: string },
  ): Promise<AttemptResult>
}

/** An enclave for the tests of one file, with credentials that use it. */
export function useEnclave(options: EnclaveOptions = {}): () => RunningEnclave {
  const running = useOneEnclave(options)
  return () => {
    const { cloud: enclave, files } = running
    return { enclave, files, attempt: (mode, each) => attempt(enclave, files, mode, each) }
  }
}

async function attempt(
  enclave: Enclave,
  files: EnclaveFiles,
  mode: EnclaveAuthMode,
  {
    env = {},
    audience = enclave.resourceManagerAudience,
    ...options
  }: CachedCredentialOptions & { readonly env?: Env; readonly audience?: string } = {},
): Promise<AttemptResult> {
  let trace: readonly TraceStep[] = []
  const plan = createCredentialPlan(enclave.profile, { ...enclave.environment(mode, files), ...env })
  const credential = openCredential(plan, { onEnd: ({ steps }) => (trace = steps), ...options })
  const end = () => ({ trace })
  try {
    const token = await credential.getToken(scopeFor(audience))
    return { outcome: 'acquired', token: token?.token ?? '', ...end() }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { outcome: error.code, error, ...end() }
  }
}
