import type { Log } from '../service/log-event.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import type { Env } from '../profile/overrides.ts'
import type { Settings } from '../settings/settings.ts'
import type { SmokeTestRun } from './report.ts'

/** What diagnostics work on: resolved at cold start and handed over. */
export interface DiagnosticsContext {
  readonly cloud: ExplainedProfile
  readonly settings: Settings
  readonly env: Env
  readonly log: Log
  readonly lastSmokeTest: () => SmokeTestRun | undefined
}
