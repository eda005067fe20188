import { showValue } from '../base/show-value.ts'
import { singleFlightCache } from '../base/single-flight-cache.ts'
import { ServiceError } from '../errors.ts'
import type { AbortSignalLike, SignInPrompt } from '../transport/attempt.ts'
import { createPlanBackend, refusePlaceholders, type BackendOptions } from './credential-backend.ts'
import type { CredentialPlan } from './credential-plan.ts'
import { runTokenAttempt, type EndedAttempt } from './token-attempt.ts'
import type { AccessToken, GetTokenOptions, TokenCredential } from './token-credential.ts'

export interface CredentialOptions extends BackendOptions {
  /** Milliseconds before an attempt is abandoned; a device-code attempt, before a person is asked. Default is that of the plan. */
  readonly timeoutMs?: number
  /** Called when a person has to sign in (deviceCode). */
  readonly onPrompt?: (prompt: SignInPrompt) => void | Promise<void>
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
    async getToken(scopes, given) {
      const options = given ?? {}
      const scope = firstScope(scopes)
      refuseInvalidSignal(options.abortSignal)
      refusePlaceholders(plan, scope)
      // A caller's signal, tenant or claims concern that caller alone; all others share one attempt.
      if (options.abortSignal ?? options.tenantId ?? options.claims) return start(scope, options)
      return inFlight.get(() => start(scope), scope)
    },
  }
}

function firstScope(scopes: unknown): string {
  const first: unknown = Array.isArray(scopes) ? scopes[0] : scopes
  if (typeof first === 'string' && first.trim() !== '') return first
  throw new ServiceError(
    'ARGUMENT_INVALID',
    `scopes must be an audience followed by ".default", but ${Array.isArray(scopes) ? 'the first ' : ''}is ${showValue(first)}`,
  )
}

/** It would throw where the attempt begins, without a name. */
function refuseInvalidSignal(signal: Partial<AbortSignalLike> | undefined): void {
  if (signal === undefined || typeof signal?.addEventListener === 'function') return
  throw new ServiceError('ARGUMENT_INVALID', `abortSignal must be an AbortSignal, but is ${showValue(signal)}`)
}
