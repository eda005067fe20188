import type { TokenOutcome } from '../auth/token-cache.ts'
import { loadAuthorities } from '../transport/certificate-authorities.ts'
import type { SharedDocuments } from '../transport/exchange.ts'
import { createReportAssembler } from './assemble-report.ts'
import type { DiagnosticsReport } from './report.ts'
import { createHistory, createReportCache } from './report-cache.ts'
import {
  createDiagnosticsRun,
  type DiagnosticsContext,
  endedRun,
  longestRunMs,
  createTokenProvider,
} from './run-diagnostics.ts'

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
  /** The cached report without waiting, unless it is older than five minutes. Starts a run if it is not fresh. */
  cachedReport(): Promise<DiagnosticsReport | undefined>
  /** The last report at any age, without starting a run. */
  lastReport(): DiagnosticsReport | undefined
  /** The last token attempt's outcome, without starting one. */
  lastToken(): TokenOutcome | undefined
}

/** Everything that needs the credential library or the network. Loaded at first use, not at cold start. */
export function createDiagnostics(context: DiagnosticsContext): Diagnostics {
  // Before the first connection, which would not trust them.
  loadAuthorities(context.env)
  const documents: SharedDocuments = new Map()
  const provider = createTokenProvider(context, documents)
  const runDiagnostics = createDiagnosticsRun(context, provider, documents)
  const assemble = createReportAssembler(context)
  const [reports, earlier] = [createReportCache(), createHistory()]
  let reused: { readonly from: DiagnosticsReport; readonly report: DiagnosticsReport } | undefined

  /** A report that is given again says that its token was there before. */
  const again = (from: DiagnosticsReport): DiagnosticsReport => {
    if (from.token.cached || from.token.status === 'pending') return from
    if (reused?.from !== from) reused = { from, report: { ...from, token: { ...from.token, cached: true } } }
    return reused.report
  }

  const report = async (): Promise<DiagnosticsReport> => {
    const smokeTest = context.lastSmokeTest() ?? null
    const attempt = provider.current()
    const keyOf = ({ status, startedAt }: TokenOutcome) =>
      JSON.stringify([status, startedAt, smokeTest?.startedAt, context.profileCheck?.().message])
    const before = reports.last()
    const found = await reports.get(
      async () => keyOf(await attempt),
      async () => {
        const run = await endedRun(runDiagnostics(attempt), longestRunMs(context.settings.tokenTimeoutMs))
        const report = assemble(run, smokeTest)
        earlier.record(report)
        return { report, key: keyOf(run.token) }
      },
    )
    return found === before ? again(found) : found
  }

  return {
    async report({ explain = false, history = false } = {}) {
      const current = await report()
      if (!explain && !history) return current
      return {
        ...current,
        ...(history ? { history: earlier.entries() } : {}),
        ...(explain ? { fields: context.cloud.fields } : {}),
      }
    },
    cachedReport: () => reports.peek(report),
    lastReport: () => reports.last(),
    lastToken: () => provider.last(),
  }
}
