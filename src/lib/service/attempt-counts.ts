import type { Log, LogEvent } from '../diagnostics/log-event.ts'

/** Token attempts of this process by result: `acquired`, or the code of the failure. */
export type AttemptCounts = ReadonlyMap<string, number>

/** Counts the logged token attempts on their way to the log. */
export function countAttempts(log: Log): { readonly log: Log; readonly counts: AttemptCounts } {
  const counts = new Map<string, number>()
  return {
    counts,
    log(event) {
      const outcome = typeof event === 'string' ? undefined : outcomeOf(event)
      if (outcome !== undefined) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      log(event)
    },
  }
}

function outcomeOf({ event, status, code }: LogEvent): string | undefined {
  if (event !== 'token') return undefined
  return status === 'acquired' ? 'acquired' : (code ?? 'UNEXPECTED')
}
