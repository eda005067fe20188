import type { DiagnosticsReport, HistoryEntry } from '../diagnostics/report.ts'

/** Milliseconds that a look is remembered: a day, as the default schedule looks every quarter of an hour. */
const keptMs = 24 * 60 * 60 * 1000
/** Milliseconds between two entries that say the same. A page that is open asks every minute. */
const sameAgainMs = 5 * 60 * 1000
/** Entries, at most: a day of looks that say the same, and as many changes again. */
const mostEntries = 576

/** What this process saw before, in bounded memory. It is lost with the process. */
export interface History {
  record(report: DiagnosticsReport): void
  /** Oldest first. */
  entries(): readonly HistoryEntry[]
}

/** @param now Milliseconds of a clock that is never set back. */
export function createHistory(now: () => number = () => performance.now()): History {
  let kept: { readonly at: number; readonly entry: HistoryEntry }[] = []
  const forget = () => {
    kept = kept.filter(({ at }) => now() - at < keptMs).slice(-mostEntries)
  }
  return {
    record(report) {
      const { checkedAt, status, rootCause, token } = report
      const last = kept.at(-1)
      const same = last?.entry.status === status && last.entry.code === rootCause?.code
      if (same && now() - last.at < sameAgainMs) return
      const code = rootCause === undefined ? {} : { code: rootCause.code }
      kept.push({ at: now(), entry: { at: checkedAt, status, ...code, durationMs: token.durationMs } })
      forget()
    },
    entries() {
      forget()
      return kept.map(({ entry }) => entry)
    },
  }
}
