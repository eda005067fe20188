import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { singleFlightCache } from '../base/single-flight-cache.ts'
import { unlessAborted } from '../base/unless-aborted.ts'

/** Public documents that are under way or just came in: the credential and the probes read the same one. */
export interface SharedDocuments {
  /**
   * A document that others may be asking for too. The question belongs to nobody's deadline, for one who gives up must not take the
   * answer from the others; it ends when nobody waits for it any more.
   *
   * @param signal Ends the waiting of this caller.
   * @param ask Makes the request, and ends it when its signal aborts.
   */
  share(
    url: URL,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<PipelineResponse>,
  ): Promise<PipelineResponse>
}

/** Milliseconds that a document is reused. */
const ttlMs = 5000

export function createSharedDocuments(): SharedDocuments {
  const answers = singleFlightCache<PipelineResponse>({ ttlMs })
  const questions = new Map<string, { readonly controller: AbortController; waiting: number }>()
  return {
    async share({ href }, signal, ask) {
      const answer = answers.get(async () => {
        const question = { controller: new AbortController(), waiting: 0 }
        questions.set(href, question)
        return ask(question.controller.signal).finally(() => {
          if (questions.get(href) === question) questions.delete(href)
        })
      }, href)
      const question = questions.get(href)
      if (question === undefined) return answer
      question.waiting++
      try {
        return await unlessAborted(answer, signal)
      } finally {
        if (--question.waiting === 0 && signal.aborted) {
          questions.delete(href)
          answers.delete(href)
          question.controller.abort()
        }
      }
    },
  }
}
