import type { AccessToken, TokenCredential } from '@azure/core-auth'
import { createCredentialPlan } from '../auth/create-credential-plan.ts'
import { createCredential, type SignInPrompt } from '../auth/credential.ts'
import type { CredentialPlan } from '../auth/credential-plan.ts'
import { surfaceLibraryLog } from '../auth/library-log.ts'
import { secretsOf } from '../auth/secret.ts'
import { createTokenSource, type TokenSource } from '../auth/token-source.ts'
import { isServiceError, ServiceError } from '../errors.ts'
import { discoverCloud } from '../metadata/discover-cloud.ts'
import { allowedAudience } from '../metadata/audiences.ts'
import { scopeFor } from '../profile/scope.ts'
import type { TraceStep } from '../transport/attempt.ts'
import type { DocumentShare } from '../transport/document-share.ts'
import type { LogEvent } from './log-event.ts'
import { printable } from './printable.ts'
import type { DiagnosticsContext } from './diagnostics-context.ts'

/** The one credential of this process, and what is known of it. */
export interface TokenAcquirer extends Pick<TokenSource, 'current' | 'last'> {
  /** The audience that tokens are asked for: of the profile, or the discovered one once it is known. */
  audience(): string
  /** The requests of the last attempt that ended. */
  trace(): readonly TraceStep[]
  /** A token for another service of the cloud, with the same credential. */
  tokenFor(audience: string): Promise<AccessToken>
  /** Absent before the first attempt, and when the environment lacks what its mode needs. */
  plan(): CredentialPlan | undefined
}

/** Milliseconds that discovering the audience may take of an attempt's deadline, at most half of it. */
const longestDiscoveryMs = 5000

/** Acquires tokens for the resource manager, as the settings say, and logs how each attempt ended. */
export function createTokenAcquirer(
  { cloud: { profile }, settings, log }: DiagnosticsContext,
  documents: DocumentShare,
): TokenAcquirer {
  const discoveryMs = settings.discoverAudience ? Math.min(longestDiscoveryMs, settings.tokenTimeoutMs / 2) : 0
  let audience = profile.resourceManagerAudience
  let plan: CredentialPlan | undefined
  let credential: TokenCredential | undefined
  let trace: readonly TraceStep[] = []
  // Attempts for other services leave the trace alone.
  let besides = 0
  let announce: (prompt: SignInPrompt) => void = () => {}

  const acquire = async (): Promise<AccessToken> => {
    plan ??= createCredentialPlan(profile, settings)
    // The library reads the log level when a credential is built.
    if (credential === undefined && settings.logLevel === 'verbose') surfaceLibraryLog(log, secretsOf(plan))
    credential ??= createCredential(plan, {
      timeoutMs: settings.tokenTimeoutMs - discoveryMs,
      onPrompt(prompt) {
        if (settings.httpAuthLevel === 'anonymous') log(signInEvent(prompt))
        announce(prompt)
      },
      documents,
      onTrace(steps) {
        if (besides === 0) trace = steps
      },
    })
    if (settings.discoverAudience) {
      audience = allowedAudience(profile, await discoverCloud(profile, { timeoutMs: discoveryMs }))
    }
    return required(await credential.getToken(scopeFor(audience)))
  }

  const tokenFor = async (other: string): Promise<AccessToken> => {
    if (credential === undefined) throw new ServiceError('UNEXPECTED', 'There is no credential yet')
    besides++
    try {
      return required(await credential.getToken(scopeFor(other)))
    } finally {
      besides--
    }
  }

  const logged = async (): Promise<AccessToken> => {
    const started = Date.now()
    const entry = { event: 'token', profile: profile.name } as const
    try {
      const token = await acquire()
      log({ ...entry, level: 'info', status: 'acquired', durationMs: Date.now() - started })
      return token
    } catch (error) {
      const code = isServiceError(error) ? error.code : 'UNEXPECTED'
      log({ ...entry, level: 'error', status: 'failed', code, durationMs: Date.now() - started })
      throw error
    }
  }

  const source = createTokenSource((onPrompt) => {
    announce = onPrompt
    return logged()
  })
  return { ...source, audience: () => audience, trace: () => trace, plan: () => plan, tokenFor }
}

function required(token: AccessToken | null): AccessToken {
  if (token !== null) return token
  throw new ServiceError('TOKEN_RESPONSE_INVALID', 'The credential returned no token')
}

/** Where the routes show no code, the log is the one place that has it. */
function signInEvent({ userCode, verificationUri }: SignInPrompt): LogEvent {
  const message = `To sign in, open ${printable(verificationUri, 2048)} and enter the code ${printable(userCode, 64)}`
  return { level: 'warning', event: 'sign-in', status: 'pending', message }
}
