import { setTimeout as sleep } from 'node:timers/promises'
import { createDiagnostics } from '../../lib/diagnostics/diagnostics.ts'
import type { DiagnosticsReport, SignIn } from '../../lib/diagnostics/report.ts'
import type { ExplainedProfile } from '../../lib/profile/explained-profile.ts'
import type { Env } from '../../lib/base/env.ts'
import { findWarnings } from '../../lib/variables.ts'
import type { Settings } from '../../lib/settings/settings.ts'
import type { Progress } from '../progress.ts'

export interface ProbeOptions {
  readonly cloud: ExplainedProfile
  readonly settings: Settings
  readonly env: Env
  readonly progress: Progress
}

/** Asks for a token as the service would. When a person has to sign in, prints the code and waits with a countdown. */
export async function probeToken({ cloud, settings, env, progress }: ProbeOptions): Promise<DiagnosticsReport> {
  const log = (event: unknown) => {
    // The results have the outcome. Verbose lines of the credential library remain.
    if (typeof event === 'string') progress.say(event)
  }
  const warnings = await findWarnings(cloud, env, settings)
  const diagnostics = createDiagnostics({ cloud, warnings, settings, env, log, lastSmokeTest: () => undefined })
  progress.show(`Asking for a token (${settings.authMode})`)
  let report = await diagnostics.report()
  let shown = ''
  while (report.status === 'pending' || report.token.status === 'pending') {
    const { signIn } = report.token
    if (signIn !== undefined && signIn.userCode !== shown) progress.say(describeSignIn(signIn))
    shown = signIn?.userCode ?? ''
    progress.show(`Waiting for the sign-in, ${secondsLeft(report)} s left`)
    await sleep(1000)
    report = await diagnostics.report()
  }
  return report
}

function describeSignIn({ userCode, verificationUri }: SignIn): string {
  return `To sign in, open ${verificationUri} and enter the code ${userCode}`
}

function secondsLeft({ token: { signIn } }: DiagnosticsReport): number {
  return Math.max(0, Math.round((Date.parse(signIn?.expiresOn ?? '') - Date.now()) / 1000))
}
