import type { ErrorCode } from '../errors.ts'
import { scopeFor } from '../profile/scope.ts'
import { Attempt, type SignInPrompt, type TraceStep } from '../transport/attempt.ts'
import type { SharedDocuments } from '../transport/shared-documents.ts'
import { createTokenSupply, type TokenSupply } from './credential.ts'
import type { CredentialPlan } from './credential-plan.ts'
import { toTokenError } from './token-error.ts'
import { surfaceLibraryLog } from './library-log.ts'
import { secretsOf } from './secret.ts'
import type { AccessToken } from './token-credential.ts'
import { createOutcomeCache, type OutcomeCache } from './outcome-cache.ts'

/** The one credential of this process, and what is known of it. */
export interface TokenProvider extends OutcomeCache {
  /** The audience that tokens are asked for: of the profile, or the discovered one once it is known. */
  audience(): string
  /** The requests of the last attempt that ended. */
  trace(): readonly TraceStep[]
  /** A token for another service of the cloud, with the same credential, in an attempt of its own. */
  tokenFor(audience: string): Promise<AccessToken>
  /** Absent before the first attempt, and when the environment lacks what its mode needs. */
  plan(): CredentialPlan | undefined
}

export interface TokenProviderOptions {
  /** Made at the first attempt, and again after it failed for want of a setting. */
  readonly plan: () => CredentialPlan
  readonly audience: string
  /** Milliseconds of one whole attempt, discovery included. */
  readonly timeoutMs: number
  /** Asks the cloud itself for the audience, as a part of each attempt. */
  readonly discover?: (() => Promise<string>) | undefined
  readonly documents: SharedDocuments
  /** Told when a person has to sign in, beside whoever asks for the outcome. */
  readonly onPrompt?: (prompt: SignInPrompt) => void
  /** Told how each attempt ended; without a code when it got a token. */
  readonly onEnd: (ended: { readonly durationMs: number; readonly code?: ErrorCode }) => void
  /** Takes the lines of the credential library, which are made only then. */
  readonly libraryLog?: ((line: string) => void) | undefined
}

/** Acquires tokens for the resource manager, one attempt at a time. */
export function createTokenProvider(options: TokenProviderOptions): TokenProvider {
  const { timeoutMs, discover, documents, onEnd, libraryLog } = options
  let { audience } = options
  let plan: CredentialPlan | undefined
  let supply: TokenSupply | undefined
  let distrusted = false
  let trace: readonly TraceStep[] = []

  const supplyTokens = (): TokenSupply => {
    plan ??= options.plan()
    // The library reads the log level when a credential is built.
    if (supply === undefined && libraryLog !== undefined) surfaceLibraryLog(libraryLog, secretsOf(plan))
    return (supply ??= createTokenSupply(plan, documents))
  }

  const source = createOutcomeCache(async (onPrompt) => {
    const started = performance.now()
    const durationMs = () => Math.round(performance.now() - started)
    const attempt = new Attempt({
      timeoutMs,
      onPrompt(prompt) {
        options.onPrompt?.(prompt)
        onPrompt(prompt)
      },
    })
    try {
      const token = await attempt.run(async () => {
        // The credential remembers the token that is in doubt; a new one asks for another.
        if (distrusted) supply = undefined
        distrusted = false
        const tokens = supplyTokens()
        if (discover !== undefined) audience = await discover()
        return tokens.acquire(scopeFor(audience), attempt)
      })
      onEnd({ durationMs: durationMs() })
      return token
    } catch (error) {
      const described = toTokenError(error, attempt)
      onEnd({ durationMs: durationMs(), code: described.code })
      throw described
    } finally {
      trace = attempt.steps
    }
  })
  const tokenFor = async (other: string): Promise<AccessToken> => {
    const attempt = new Attempt({ timeoutMs })
    try {
      return await attempt.run(async () => supplyTokens().acquire(scopeFor(other), attempt))
    } catch (error) {
      throw toTokenError(error, attempt)
    }
  }

  const distrust = () => {
    distrusted = true
    source.distrust()
  }
  return { ...source, distrust, tokenFor, audience: () => audience, trace: () => trace, plan: () => plan }
}
