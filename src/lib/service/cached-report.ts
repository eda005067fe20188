import { setTimeout as sleep } from 'node:timers/promises'
import type { Diagnostics } from '../diagnostics/diagnostics.ts'
import type { DiagnosticsReport, SmokeTestRun } from '../diagnostics/report.ts'
import type { AttemptCounts } from './attempt-counts.ts'

/** What is known without waiting for the cloud. */
export interface CachedState {
  /** The last look; absent before the first one ended. */
  readonly report?: DiagnosticsReport
  readonly smokeTest?: SmokeTestRun
  readonly attempts: AttemptCounts
}

/** Milliseconds after which what is known is worth a new look. */
const freshMs = 60_000
/** Milliseconds that a first cachedState waits for the first look: a scraper gives up after some seconds, and a healthy cloud is faster. */
const firstWaitMs = 700

/**
 * Answers at once with what is known, and starts a look when that is old. However many ask, one look runs at a time.
 *
 * @param now Milliseconds of a clock that is never set back.
 */
export function createCachedReport(
  lastSeen: () => number | undefined,
  now: () => number = () => performance.now(),
): (diagnostics: Diagnostics) => Promise<DiagnosticsReport | undefined> {
  let looking: Promise<unknown> | undefined
  return async (diagnostics) => {
    const seen = lastSeen()
    if (seen === undefined || now() - seen >= freshMs) {
      looking ??= diagnostics
        .report()
        .catch(() => undefined)
        .finally(() => (looking = undefined))
    }
    if (seen === undefined) await Promise.race([looking, sleep(firstWaitMs, undefined, { ref: false })])
    return diagnostics.last()
  }
}
