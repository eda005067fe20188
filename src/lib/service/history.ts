import type { DiagnosticsReport, HistoryEntry } from '../diagnostics/report.ts'

/** Milliseconds that a run is remembered: one day. */
const maxAgeMs = 24 * 60 * 60 * 1000
/** Milliseconds between two entries with the same result. An open page asks often. */
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
