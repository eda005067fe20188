import type { DiagnosticsReport } from '../lib/diagnostics/report.ts'
import { warningFindings } from '../lib/findings/warning-findings.ts'
import type { ProfileView } from '../lib/profile/profile-view.ts'
import type { Settings } from '../lib/settings/settings.ts'
import { renderPage, type RenderedPage } from '../page/page.ts'

/** The page of a report, with the state of the process. Loaded at the first page, not at cold start. */
export function renderReport(
  report: DiagnosticsReport,
  profile: ProfileView,
  { classificationBanner: text }: Pick<Settings, 'classificationBanner'>,
): RenderedPage {
  const warnings = report.warnings.map((warning) => ({ ...warning, ...warningFindings[warning.code] }))
  return renderPage({ report, profile, warnings, ...(text === undefined ? {} : { banner: { text } }) })
}
