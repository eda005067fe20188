import type { DiagnosticsReport } from '../lib/diagnostics/report.ts'
import type { Settings } from '../lib/settings/settings.ts'

/**
 * The report for the callers of the routes. A pending sign-in code is shown only to callers with a key, or on this machine, because the
 * person who approves it signs this workload in as themselves. With HTTP_AUTH_LEVEL=anonymous the report omits the code; the log has it.
 */
export function visibleReport(
  report: DiagnosticsReport,
  { httpAuthLevel }: Pick<Settings, 'httpAuthLevel'>,
): DiagnosticsReport {
  if (httpAuthLevel !== 'anonymous' || report.token.signIn === undefined) return report
  const { signIn: _signIn, ...token } = report.token
  return { ...report, token }
}
