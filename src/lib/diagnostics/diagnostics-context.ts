import type { Log } from './log-event.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import type { Warning } from '../errors.ts'
import type { Env } from '../base/env.ts'
import type { Settings } from '../settings/settings.ts'
import type { DiagnosticsReport, HistoryEntry, SmokeTestRun } from './report.ts'

/** The input of diagnostics, resolved at cold start. */
export interface DiagnosticsContext {
  readonly cloud: ExplainedProfile
  /** Of `findWarnings`. */
  readonly warnings: readonly Warning[]
  readonly settings: Settings
  readonly env: Env
  readonly log: Log
  readonly lastSmokeTest: () => SmokeTestRun | undefined
  /** Called with the report of each run. */
  readonly onReport?: (report: DiagnosticsReport) => void
  /** The earlier runs of this process, oldest first. */
  readonly history?: () => readonly HistoryEntry[]
}
