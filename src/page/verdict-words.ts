import type { ReportStatus } from '../lib/diagnostics/report.ts'

/** A verdict as people read it. */
export const verdictWords: Readonly<Record<ReportStatus, string>> = {
  ok: 'OK',
  warning: 'Warning',
  failed: 'Failed',
  pending: 'Waiting for sign-in',
}
