import { scopeFor } from '../profile/scope.ts'
import type { Attempt, SignInPrompt, TraceStep } from '../transport/attempt.ts'
import type { SharedDocuments } from '../transport/shared-documents.ts'
import { createPlanBackend, type PlanBackend } from './credential-backend.ts'
import type { CredentialPlan } from './credential-plan.ts'
import { surfaceLibraryLog } from './library-log.ts'
import { createOutcomeCache, type OutcomeCache } from './outcome-cache.ts'
import { secretsOf } from './secret.ts'
import { runTokenAttempt, type EndedAttempt } from './token-attempt.ts'
import type { AccessToken } from './token-credential.ts'

/** Caches, refreshes and distrusts the token of this process. */
export interface TokenProvider extends OutcomeCache {
  /** The audience of the tokens: the profile's, or the discovered one once it is known. */
  audience(): string
  /** The requests of the last attempt that ended. */
  trace(): readonly TraceStep[]
  /** A token for another service of the cloud, with the same credential, in a separate attempt. */
  tokenFor(audience: string): Promise<AccessToken>
  /** Absent before the first attempt, and when the environment lacks what its mode needs. */
  plan(): CredentialPlan | undefined
}

export interface TokenProviderOptions {
  /** Called at the first attempt, and again after it failed for want of a setting. */
  readonly plan: () => CredentialPlan
  readonly audience: string
  /** Milliseconds of one whole attempt, discovery included. */
  readonly timeoutMs: number
  /** Asks the cloud for the audience, as a part of each attempt. */
  readonly discover?: (() => Promise<string>) | undefined
  readonly documents: SharedDocuments
  /** Called when a person has to sign in, also when no caller waits for the outcome. */
  readonly onPrompt?: (prompt: SignInPrompt) => void
  /** Called when an attempt for the resource manager ended, failed or not. */
  readonly onEnd: (ended: EndedAttempt) => void
  /** Receives the lines of the credential library. Absent, the library logs nothing. */
  readonly libraryLog?: ((line: string) => void) | undefined
}

/** Acquires tokens for the resource manager, one attempt at a time. */
export function createTokenProvider(options: TokenProviderOptions): TokenProvider {
  const { timeoutMs, discover, documents, libraryLog } = options
  let { audience } = options
  let plan: CredentialPlan | undefined
  let backend: PlanBackend | undefined
  let distrusted = false
  let trace: readonly TraceStep[] = []

  const acquireFor = async (attempt: Attempt, audienceOf: () => string | Promise<string>): Promise<AccessToken> => {
    plan ??= options.plan()
    // The library reads the log level when a credential is built.
    if (backend === undefined && libraryLog !== undefined) surfaceLibraryLog(libraryLog, () => secretsOf(plan))
    backend ??= createPlanBackend(plan, { documents })
    return backend.acquire(scopeFor(await audienceOf()), attempt)
  }

  const outcomes = createOutcomeCache((notify) => {
    const onPrompt = (prompt: SignInPrompt) => {
      options.onPrompt?.(prompt)
      notify(prompt)
    }
    const onEnd = (ended: EndedAttempt) => {
      trace = ended.steps
      options.onEnd(ended)
    }
    return runTokenAttempt({ timeoutMs, onPrompt, onEnd }, (attempt) => {
      // The credential caches the distrusted token; a new credential asks for a new one.
      if (distrusted) backend = undefined
      distrusted = false
      return acquireFor(attempt, async () => (audience = (await discover?.()) ?? audience))
    })
  })

  return {
    ...outcomes,
    distrust() {
      distrusted = true
      outcomes.distrust()
    },
    tokenFor: (other) => runTokenAttempt({ timeoutMs }, (attempt) => acquireFor(attempt, () => other)),
    audience: () => audience,
    trace: () => trace,
    plan: () => plan,
  }
}
