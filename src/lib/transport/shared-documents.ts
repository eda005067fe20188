import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { keep } from './keep.ts'
import { unlessAborted } from './unless-aborted.ts'

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

/** Milliseconds that a document is kept. */
const keepMs = 5000

export function createSharedDocuments(): SharedDocuments {
  const kept = keep<PipelineResponse>(() => keepMs)
  const questions = new Map<string, { readonly controller: AbortController; waiting: number }>()
  return {
    async share({ href }, signal, ask) {
      const answer = kept.get(href, async () => {
        const question = { controller: new AbortController(), waiting: 0 }
        questions.set(href, question)
        return ask(question.controller.signal).finally(() => {
          if (questions.get(href) === question) questions.delete(href)
        })
      })
      const question = questions.get(href)
      if (question === undefined) return answer
      question.waiting++
      try {
        return await unlessAborted(answer, signal)
      } finally {
        if (--question.waiting === 0 && signal.aborted) {
          questions.delete(href)
          kept.forget(href)
          question.controller.abort()
        }
      }
    },
  }
}
