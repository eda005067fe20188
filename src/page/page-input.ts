import type { Warning } from '../lib/errors.ts'
import type { DiagnosticsReport, Diagnosis } from '../lib/diagnostics/report.ts'
import type { ProfileView } from '../lib/profile/explained-profile.ts'
import type { ClassificationBanner } from './banner.ts'

/** A warning with its cause and fix. */
export type DiagnosedWarning = Warning & Partial<Pick<Diagnosis, 'cause' | 'fix'>>

/** The values that the page shows. */
export interface PageInput {
  readonly report: DiagnosticsReport
  readonly profile: ProfileView
  /** The warnings of the report, each with its cause and fix from the catalog. */
  readonly warnings: readonly DiagnosedWarning[]
  /** Shown above and below everything, on screen and on paper. */
  readonly banner?: ClassificationBanner
  /** The time from which ages and remaining times are counted. Default is the time of rendering. */
  readonly now?: Date
}
