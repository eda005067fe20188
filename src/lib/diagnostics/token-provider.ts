import { openCredential, type Credential } from '../auth/credential.ts'
import { planCredential, type CredentialPlan } from '../auth/credential-plan.ts'
import type { TokenOutcome } from '../auth/token-cache.ts'
import type { AccessToken } from '../auth/token-credential.ts'
import { allowedAudience } from '../metadata/audiences.ts'
import { discoverProfile } from '../metadata/discover-cloud.ts'
import { scopeFor } from '../profile/endpoints.ts'
import type { Attempt, TraceStep } from '../transport/attempt.ts'
import type { SharedDocuments } from '../transport/exchange.ts'
import type { Env } from '../base/env.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import type { Settings } from '../settings/settings.ts'
import { type Log, signInEvent, tokenEvent } from '../base/app.ts'

/** What the credential of the active profile is made from. */
export interface TokenContext {
  readonly cloud: { readonly profile: CloudProfile }
  readonly settings: Settings
  readonly env: Env
  readonly log: Log
}

/** The credential of the active profile, and the facts about its attempts for the resource manager. */
export interface TokenProvider extends Pick<Credential, 'limitReuse'> {
  current(): Promise<TokenOutcome>
  last(): TokenOutcome | undefined
  /** The audience of the tokens: the profile's, or the discovered one once it is known. */
  audience(): string
  /** The requests of the last attempt that ended. */
  trace(): readonly TraceStep[]
  /** A token for another service of the cloud. */
  tokenFor(audience: string): Promise<AccessToken>
  /** Absent before the first attempt, and when the environment lacks what its mode needs. */
  plan(): CredentialPlan | undefined
}

export function createTokenProvider(
  { cloud: { profile }, settings, env, log }: TokenContext,
  documents?: SharedDocuments,
): TokenProvider {
  const { tokenTimeoutMs: timeoutMs, discoverAudience, logLevel } = settings
  const scope = scopeFor(profile.resourceManagerAudience)
  let audience: string = profile.resourceManagerAudience
  let trace: readonly TraceStep[] = []
  let plan: CredentialPlan | undefined
  const discover = async (attempt: Attempt) => {
    // The token needs its part of the time as well.
    const metadata = await discoverProfile(profile, { env, timeoutMs: timeoutMs / 2, attempt })
    audience = allowedAudience(profile, metadata)
    return scopeFor(audience)
  }
  const credential = openCredential(() => (plan ??= planCredential(profile, settings)), {
    timeoutMs,
    documents,
    ...(discoverAudience && {
      scopeOf: async (asked: string, attempt: Attempt) => (asked === scope ? discover(attempt) : asked),
    }),
    onPrompt({ userCode, verificationUri }) {
      // If the routes show no code, only the log has it.
      if (settings.httpAuthLevel !== 'anonymous') return
      log(signInEvent(profile.name, `${verificationUri} and enter the code ${userCode}`))
    },
    onEnd(ended) {
      if (ended.cached || ended.scope !== scope) return
      trace = ended.steps
      log(tokenEvent(profile.name, ended))
    },
    libraryLog: logLevel === 'verbose' ? log : undefined,
  })
  return {
    current: () => credential.outcome(scope),
    last: () => credential.lastOutcome(scope),
    limitReuse: () => credential.limitReuse(),
    audience: () => audience,
    trace: () => trace,
    tokenFor: (other) => credential.getToken(scopeFor(other)),
    plan: () => plan,
  }
}
