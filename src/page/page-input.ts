import type { Warning } from '../lib/errors.ts'
import type { DiagnosticsReport, Explanation } from '../lib/diagnostics/report.ts'
import type { ProfileView } from '../lib/profile/profile-view.ts'
import type { ClassificationBanner } from './banner.ts'

/** A warning with its cause and fix. */
export type ExplainedWarning = Warning & Partial<Pick<Explanation, 'cause' | 'fix'>>

/** What the page shows. */
export interface PageInput {
  readonly report: DiagnosticsReport
  readonly profile: ProfileView
  /** The warnings of the report, each with what the catalogue says of it. */
  readonly warnings: readonly ExplainedWarning[]
  /** Shown above and below everything, on screen and on paper. */
  readonly banner?: ClassificationBanner
  /** What ages and remaining times are counted from. Default is the time of rendering. */
  readonly now?: Date
}
