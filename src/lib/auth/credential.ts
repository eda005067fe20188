import { singleFlightCache } from '../base/single-flight-cache.ts'
import type { SignInPrompt } from '../transport/attempt.ts'
import { createPlanBackend, refusePlaceholders, type BackendOptions } from './credential-backend.ts'
import type { CredentialPlan } from './credential-plan.ts'
import { runTokenAttempt, type EndedAttempt } from './token-attempt.ts'
import type { AccessToken, GetTokenOptions, TokenCredential } from './token-credential.ts'

export interface CredentialOptions extends BackendOptions {
  /** Milliseconds before an attempt is abandoned; a device-code attempt, before a person is asked. Default is that of the plan. */
  readonly timeoutMs?: number
  /** Called when a person has to sign in (deviceCode). */
  readonly onPrompt?: (prompt: SignInPrompt) => void
  /** Called when an attempt ended, failed or not. */
  readonly onEnd?: (ended: EndedAttempt) => void
}

/**
 * Builds the credential of a plan. Its `getToken` adds what the library's own lacks: it ends by its deadline or by the caller's
 * `abortSignal`, contacts only the hosts of the plan, makes one attempt for all who ask at the same time, and fails with a
 * {@link ServiceError} whose code says why.
 *
 * @throws {ServiceError} from `getToken`: `PLACEHOLDER_PROFILE`, `CREDENTIAL_FILE_UNREADABLE`, `EGRESS_BLOCKED`,
 * `TOKEN_TIMEOUT` or another code of the findings catalog.
 */
export function createCredential(
  plan: CredentialPlan,
  { timeoutMs = plan.timeoutMs, documents, processEnv, ...callbacks }: CredentialOptions = {},
): TokenCredential {
  const backend = createPlanBackend(plan, { documents, processEnv })
  const inFlight = singleFlightCache<AccessToken>({ ttlMs: 0 })
  const start = (scope: string, { abortSignal, ...options }: GetTokenOptions = {}) =>
    runTokenAttempt({ timeoutMs, signal: abortSignal, ...callbacks }, (attempt) =>
      backend.acquire(scope, attempt, options),
    )
  return {
    async getToken(scopes, options = {}) {
      const scope = typeof scopes === 'string' ? scopes : (scopes[0] ?? '')
      refusePlaceholders(plan, scope)
      // A caller's signal, tenant or claims concern that caller alone; all others share one attempt.
      if (options.abortSignal ?? options.tenantId ?? options.claims) return start(scope, options)
      return inFlight.get(() => start(scope), scope)
    },
  }
}
