import { createCredentialPlan } from '../auth/credential-plan.ts'
import { createTokenProvider, type TokenProvider } from '../auth/token-provider.ts'
import { allowedAudience } from '../metadata/audiences.ts'
import { discoverCloud } from '../metadata/discover-cloud.ts'
import type { SharedDocuments } from '../transport/shared-documents.ts'
import type { DiagnosticsContext } from './diagnostics-context.ts'
import { signInEvent, tokenEvent } from './log-event.ts'

/** The token provider of the active profile, whose attempts are logged. */
export function createLoggedTokenProvider(
  { cloud: { profile }, settings, env, log }: DiagnosticsContext,
  documents: SharedDocuments,
): TokenProvider {
  const { tokenTimeoutMs: timeoutMs, discoverAudience, logLevel } = settings
  const discover = async () =>
    // The token needs its part of the time as well.
    allowedAudience(profile, await discoverCloud(profile, { env, timeoutMs: timeoutMs / 2 }))
  return createTokenProvider({
    plan: () => createCredentialPlan(profile, settings),
    audience: profile.resourceManagerAudience,
    timeoutMs,
    discover: discoverAudience ? discover : undefined,
    documents,
    onPrompt({ userCode, verificationUri }) {
      // If the routes show no code, only the log has it.
      if (settings.httpAuthLevel !== 'anonymous') return
      log(signInEvent(profile.name, `${verificationUri} and enter the code ${userCode}`))
    },
    onEnd: (ended) => log(tokenEvent(profile.name, ended)),
    libraryLog: logLevel === 'verbose' ? log : undefined,
  })
}
