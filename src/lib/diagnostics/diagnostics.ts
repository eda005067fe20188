import type { TokenOutcome } from '../auth/token-cache.ts'
import { loadAuthorities } from '../transport/certificate-authorities.ts'
import { createReportAssembler } from './assemble-report.ts'
import type { DiagnosticsReport, HistoryEntry } from './report.ts'
import { createDiagnosticsRun, type DiagnosticsContext, endedRun, longestRunMs } from './run-diagnostics.ts'

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
  const { endpoints, provider, run: runDiagnostics } = createDiagnosticsRun(context)
  const assemble = createReportAssembler(context, endpoints)
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

/** Milliseconds that a report without a failure or warning is given again. */
const healthyMs = 60_000
/** Milliseconds of the others: shorter, so that the effect of a fix shows soon. */
const troubledMs = 20_000
/** Milliseconds after which a report is stale: no metric uses it. */
const staleMs = 5 * 60_000
/** Milliseconds that the first reader of the cached report waits: a scraper gives up after some seconds, and a healthy cloud is faster. */
const firstWaitMs = 700
/** Milliseconds by which wall clock and monotonic clock may drift apart. A jump of the clock makes every check of dates worthless. */
const longestJumpMs = 5000

/** A report and its key: token outcome, smoke test and profile file. With another key the report is out of date. */
export interface KeyedReport {
  readonly report: DiagnosticsReport
  readonly key: string
}

/** The one cache of reports: page, `/api/diagnostics`, metrics and health all show what is in it. */
export interface ReportCache {
  /** The cached report if it is fresh and has the current key, else the report of a new run, which all concurrent callers share. */
  get(keyOf: () => Promise<string>, run: () => Promise<KeyedReport>): Promise<DiagnosticsReport>
  /** The last report at any age. */
  last(): DiagnosticsReport | undefined
  /** The last report without waiting, unless it is older than five minutes. Starts a run if it is not fresh. */
  peek(start: () => Promise<unknown>): Promise<DiagnosticsReport | undefined>
}

export interface ReportClocks {
  /** Milliseconds of a clock that is never set. Default is `performance.now`. */
  readonly now?: () => number
  /** Milliseconds since the epoch. Default is `Date.now`. */
  readonly wall?: () => number
}

export function createReportCache({ now = () => performance.now(), wall = Date.now }: ReportClocks = {}): ReportCache {
  let cached: (KeyedReport & { readonly at: number; readonly offset: number }) | undefined
  let running: Promise<DiagnosticsReport> | undefined
  let started: Promise<unknown> | undefined

  const isFresh = (): boolean => {
    if (cached === undefined) return false
    const { report, at, offset } = cached
    const isTroubled = report.checks.some(({ status }) => status === 'fail' || status === 'warn')
    return now() - at < (isTroubled ? troubledMs : healthyMs) && Math.abs(wall() - now() - offset) < longestJumpMs
  }

  const store = async (run: () => Promise<KeyedReport>): Promise<DiagnosticsReport> => {
    const offset = wall() - now()
    const made = await run()
    cached = { ...made, at: now(), offset }
    return made.report
  }

  return {
    last: () => cached?.report,
    async get(keyOf, run) {
      if (running === undefined && isFresh() && (await keyOf()) === cached?.key && isFresh()) return cached.report
      running ??= store(run).finally(() => (running = undefined))
      return running
    },
    async peek(start) {
      if (!isFresh()) {
        started ??= start()
          .catch(() => undefined)
          .finally(() => (started = undefined))
      }
      if (cached === undefined) await Promise.race([started, rest(firstWaitMs)])
      return cached !== undefined && now() - cached.at < staleMs ? cached.report : undefined
    },
  }
}

/** Does not keep the process alive. A cold start would have to load `node:timers/promises`. */
function rest(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}

/** Milliseconds that a run is remembered: one day. */
const maxAgeMs = 24 * 60 * 60 * 1000
/** Milliseconds between two entries with the same result. An open page requests the report often. */
const sameAgainMs = 5 * 60 * 1000
/** Entries, at most: a day of equal results, and as many changes again. */
const mostEntries = 576

/** The earlier runs of this process, in bounded memory. They are lost with the process. */
export interface History {
  record(report: DiagnosticsReport): void
  /** Oldest first. */
  entries(): readonly HistoryEntry[]
}

/** @param now Milliseconds of a clock that is never set back. */
export function createHistory(now: () => number = () => performance.now()): History {
  let remembered: { readonly at: number; readonly entry: HistoryEntry }[] = []
  const forget = () => {
    remembered = remembered.filter(({ at }) => now() - at < maxAgeMs).slice(-mostEntries)
  }
  return {
    record(report) {
      const { checkedAt, status, rootCause, token } = report
      const last = remembered.at(-1)
      const same = last?.entry.status === status && last.entry.code === rootCause?.code
      if (same && now() - last.at < sameAgainMs) return
      const code = rootCause === undefined ? {} : { code: rootCause.code }
      remembered.push({ at: now(), entry: { at: checkedAt, status, ...code, durationMs: token.durationMs } })
      forget()
    },
    entries() {
      forget()
      return remembered.map(({ entry }) => entry)
    },
  }
}
