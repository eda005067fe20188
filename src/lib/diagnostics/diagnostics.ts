import type { TokenOutcome } from '../auth/token-cache.ts'
import { loadAuthorities } from '../transport/certificate-authorities.ts'
import { createSharedDocuments } from '../transport/shared-documents.ts'
import { singleFlightCache } from '../base/single-flight-cache.ts'
import { createReportAssembler } from './assemble-report.ts'
import type { DiagnosticsContext } from './diagnostics-context.ts'
import { lifetimesMs } from './lifetimes.ts'
import { createTokenProvider } from './token-provider.ts'
import type { DiagnosticsReport } from './report.ts'
import { createDiagnosticsRun, endedRun, longestRunMs } from './run-diagnostics.ts'

interface ReportOptions {
  /** With each profile field's value and origin. Default is false. */
  readonly explain?: boolean
  /** With the earlier runs of this process. Default is false. */
  readonly history?: boolean
}

export interface Diagnostics {
  /**
   * The report of a diagnostics run, or the cached one while it is fresh. Never rejects: what fails is a failed check. The same object as
   * long as nothing is new, so that its readers can tell.
   */
  report(options?: ReportOptions): Promise<DiagnosticsReport>
  /** The last token attempt's outcome, without starting one. */
  lastToken(): TokenOutcome | undefined
}

/** Everything that needs the credential library or the network. Loaded at first use, not at cold start. */
export function createDiagnostics(context: DiagnosticsContext): Diagnostics {
  // Before the first connection, which would not trust them.
  loadAuthorities(context.env)
  const documents = createSharedDocuments()
  const provider = createTokenProvider(context, documents)
  const runDiagnostics = createDiagnosticsRun({ context, provider, documents })
  const assemble = createReportAssembler(context)
  const reports = singleFlightCache<DiagnosticsReport>({
    ttlMs: ({ token }) => (token.cached ? lifetimesMs.report : 0),
    maxEntries: 1,
  })
  return {
    async report({ explain = false, history = false } = {}) {
      const smokeTest = context.lastSmokeTest() ?? null
      const report = await reports.get(async () => {
        const run = await endedRun(runDiagnostics(), longestRunMs(context.settings.tokenTimeoutMs))
        const assembled = assemble(run, smokeTest)
        context.onReport?.(assembled)
        return assembled
      }, smokeTest?.startedAt)
      if (!explain && !history) return report
      return {
        ...report,
        ...(history ? { history: context.history?.() ?? [] } : {}),
        ...(explain ? { fields: context.cloud.fields } : {}),
      }
    },
    lastToken: () => provider.last(),
  }
}
