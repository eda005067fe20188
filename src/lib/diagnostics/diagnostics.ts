import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenOutcome } from '../auth/token-cache.ts'
import { loadAuthorities } from '../transport/certificate-authorities.ts'
import { createReportAssembler } from './assemble-report.ts'
import type { DiagnosticsReport } from './report.ts'
import { createDiagnosticsRun, type DiagnosticsContext, endedRun, longestRunMs } from './run-diagnostics.ts'

// This folder probes the endpoints of the active profile, checks its token, and reports why something fails. It contacts only the hosts of
// the profile, and reads the variables that it is given.

export interface Diagnostics {
  /** The cached report while it is fresh, as the same object, else one of a new run. Never rejects. `explain` adds the origin of each field. */
  report(options?: { readonly explain?: boolean }): Promise<DiagnosticsReport>
  /** The cached report without waiting. `undefined` if it is older than five minutes. Starts a run if it isn't fresh. */
  cachedReport(): Promise<DiagnosticsReport | undefined>
  /** The last report at any age, without starting a run. */
  lastReport(): DiagnosticsReport | undefined
  /** The last token attempt's outcome, without starting one. */
  lastToken(): TokenOutcome | undefined
}

/** Needs the credential library and the network, so it is loaded at first use and not at cold start. */
export function createDiagnostics(context: DiagnosticsContext): Diagnostics {
  // Needed before the first connection.
  loadAuthorities(context.env)
  const { endpoints, provider, run: runDiagnostics } = createDiagnosticsRun(context)
  const assemble = createReportAssembler(context, endpoints)
  const reports = createReportCache()

  let logged: string | undefined
  /** Logs a failure in spite of an acquired token, which the event of the token doesn't show. The same root cause is logged once. */
  const logFailure = ({ status, token, rootCause }: DiagnosticsReport): void => {
    const cause = status === 'failed' && token.status === 'acquired' ? rootCause : undefined
    const key = cause && [cause.code, ...(cause.hosts ?? [])].join(' ')
    const profile = context.cloud.profile.name
    if (cause !== undefined && key !== logged)
      context.log({ level: 'error', event: 'diagnostics', profile, status, code: cause.code, message: cause.message })
    logged = key
  }

  const report = async (): Promise<DiagnosticsReport> => {
    const smokeTest = context.lastSmokeTest() ?? null
    const attempt = provider.current()
    const keyOf = ({ status, startedAt }: TokenOutcome) =>
      JSON.stringify([status, startedAt, smokeTest?.startedAt, context.profileCheck?.().message])
    return reports.get(
      async () => keyOf(await attempt),
      async () => {
        const run = await endedRun(runDiagnostics(attempt), longestRunMs(context.settings.tokenTimeoutMs))
        const made = assemble(run, smokeTest)
        logFailure(made)
        return { report: made, key: keyOf(run.token) }
      },
    )
  }

  return {
    async report({ explain = false } = {}) {
      const current = await report()
      return explain ? { ...current, fields: context.cloud.fields } : current
    },
    cachedReport: () => reports.peek(report),
    lastReport: reports.last,
    lastToken: provider.last,
  }
}

/** How long a report without a failure or warning is cached, in milliseconds. */
const healthyMs = 60_000
/** Other reports are cached for less time, so that a fix shows its effect soon. */
const troubledMs = 20_000
/** After this time, in milliseconds, no metric uses a report. */
const staleMs = 5 * 60_000
/** How long the first reader of the cached report waits, in milliseconds. A healthy cloud is faster, and a scraper gives up later. */
const firstWaitMs = 700
/** Milliseconds. If the wall clock jumps further against the monotonic clock, all checks of dates must run again. */
const longestJumpMs = 5000

/** A report and its key, made of token outcome, smoke test and profile file. If the key changes, the report is out of date. */
type KeyedReport = { readonly report: DiagnosticsReport; readonly key: string }

/** The cache behind the page, `/api/diagnostics`, metrics and health. @param now A monotonic clock, unlike `wall`. Both in milliseconds. */
export function createReportCache(now = () => performance.now(), wall = Date.now) {
  let cached: (KeyedReport & { readonly at: number; readonly offset: number; again?: DiagnosticsReport }) | undefined
  let running: Promise<DiagnosticsReport> | undefined

  const isFresh = (): boolean => {
    if (cached === undefined) return false
    const { report, at, offset } = cached
    const isTroubled = report.checks.some(({ status }) => status === 'fail' || status === 'warn')
    return now() - at < (isTroubled ? troubledMs : healthyMs) && Math.abs(wall() - now() - offset) < longestJumpMs
  }

  const store = async (run: () => Promise<KeyedReport>) => {
    const offset = wall() - now()
    cached = { ...(await run()), at: now(), offset }
    return cached.report
  }

  return {
    last: () => cached?.report,
    /** The cached report, with its token marked as cached, if it is fresh and has the current key. Else all callers share one new run. */
    async get(keyOf: () => Promise<string>, run: () => Promise<KeyedReport>): Promise<DiagnosticsReport> {
      if (running === undefined && isFresh() && (await keyOf()) === cached?.key && isFresh())
        return (cached.again ??= withCachedToken(cached.report))
      running ??= store(run).finally(() => (running = undefined))
      return running
    },
    /** As `cachedReport` of {@link Diagnostics}. */
    async peek(start: () => Promise<unknown>): Promise<DiagnosticsReport | undefined> {
      const started = isFresh() ? undefined : start().catch(() => undefined)
      if (cached === undefined) await Promise.race([started, sleep(firstWaitMs, undefined, { ref: false })])
      return cached !== undefined && now() - cached.at < staleMs ? cached.report : undefined
    },
  }
}

function withCachedToken(report: DiagnosticsReport): DiagnosticsReport {
  const { token } = report
  return token.cached || token.status === 'pending' ? report : { ...report, token: { ...token, cached: true } }
}
