import type { PipelineResponse } from '@azure/core-rest-pipeline'

/** Lets requests for one document that run side by side make do with one answer. */
export interface DocumentShare {
  /** The answer that is under way or just came in for this address; else that of `ask`. */
  get(url: string, ask: () => Promise<PipelineResponse>): Promise<PipelineResponse>
}

/**
 * The credential and the probe of the login authority read the same public document at about the same time. Failures are
 * shared while they are under way only, so that a retry asks anew.
 *
 * @param keepMs Milliseconds an answer is kept. Default is 5000.
 */
export function createDocumentShare(keepMs = 5000, now: () => number = () => performance.now()): DocumentShare {
  const kept = new Map<string, { readonly answer: Promise<PipelineResponse>; until: number }>()
  return {
    get(url, ask) {
      const known = kept.get(url)
      if (known !== undefined && now() < known.until) return known.answer
      const entry = { answer: ask(), until: Number.POSITIVE_INFINITY }
      kept.set(url, entry)
      entry.answer.then(
        () => (entry.until = now() + keepMs),
        () => (entry.until = 0),
      )
      return entry.answer
    },
  }
}
