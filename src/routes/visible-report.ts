import type { DiagnosticsReport } from '../lib/diagnostics/report.ts'
import type { Settings } from '../lib/settings/settings.ts'

/**
 * The report for whoever may call the routes. A code that waits for a person is shown to callers with a key, or on this machine, for
 * whoever approves it signs this workload in as themselves. Where anybody may call (HTTP_AUTH_LEVEL=anonymous) it is left out; the
 * log has it.
 */
export function visibleReport(
  report: DiagnosticsReport,
  { httpAuthLevel }: Pick<Settings, 'httpAuthLevel'>,
): DiagnosticsReport {
  if (httpAuthLevel !== 'anonymous' || report.token.signIn === undefined) return report
  const { signIn: _signIn, ...token } = report.token
  return { ...report, token }
}
