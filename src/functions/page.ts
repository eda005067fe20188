import { warningFindings } from '../lib/findings/warning-findings.ts'
import type { DiagnosticsReport } from '../lib/diagnostics/report.ts'
import { viewProfile } from '../lib/profile/profile-view.ts'
import type { Service } from '../lib/service/service.ts'
import { renderPage, type RenderedPage } from '../page/page.ts'

/** The page of a report, with what the service knows beside it. Loaded at the first page, not at cold start. */
export function renderReport(
  { cloud, settings }: Pick<Service, 'cloud' | 'settings'>,
  report: DiagnosticsReport,
): RenderedPage {
  const { classificationBanner: text } = settings
  return renderPage({
    report,
    profile: viewProfile(cloud),
    warnings: report.warnings.map((warning) => ({ ...warning, ...warningFindings[warning.code] })),
    ...(text === undefined ? {} : { banner: { text } }),
  })
}
