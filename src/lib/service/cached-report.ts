import type { Diagnostics } from '../diagnostics/diagnostics.ts'
import type { DiagnosticsReport } from '../diagnostics/report.ts'

/** Milliseconds after which the cached report is worth a new run. */
const freshMs = 60_000
/** Milliseconds after which a report is stale: no metric uses it. */
const staleMs = 5 * 60_000
/** Milliseconds that the first reader waits for the first run: a scraper gives up after some seconds, and a healthy cloud is faster. */
const firstWaitMs = 700

/** The report of the last diagnostics run, given without waiting for a new one. */
export interface CachedReport {
  record(report: DiagnosticsReport): void
  /** `undefined` before the first run ended. */
  last(): DiagnosticsReport | undefined
  /**
   * Returns the last report without waiting, unless it is older than five minutes. Starts a run if the report is older than one minute. At
   * most one run is active at a time.
   */
  read(diagnostics: Pick<Diagnostics, 'report'>): Promise<DiagnosticsReport | undefined>
}

/** @param now Milliseconds of a clock that is never set back. */
export function createCachedReport(now: () => number = () => performance.now()): CachedReport {
  let cached: { readonly report: DiagnosticsReport; readonly at: number } | undefined
  let running: Promise<unknown> | undefined
  return {
    record(report) {
      cached = { report, at: now() }
    },
    last: () => cached?.report,
    async read(diagnostics) {
      if (cached === undefined || now() - cached.at >= freshMs) {
        running ??= diagnostics
          .report()
          .catch(() => undefined)
          .finally(() => (running = undefined))
      }
      if (cached === undefined) await Promise.race([running, rest(firstWaitMs)])
      return cached !== undefined && now() - cached.at < staleMs ? cached.report : undefined
    },
  }
}

/** Does not keep the process alive. A cold start would have to load `node:timers/promises`. */
function rest(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}
