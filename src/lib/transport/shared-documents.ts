import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { singleFlightCache, unlessAborted } from '../base/waiting.ts'

/** Public documents that the credential and the probes share while they are requested, and shortly after. */
export interface SharedDocuments {
  /**
   * Makes one request for all concurrent callers of a document. The request ends early only if all of them give up.
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
  const responses = singleFlightCache<PipelineResponse>({ ttlMs })
  const requests = new Map<string, { readonly controller: AbortController; waiting: number }>()
  return {
    async share({ href }, signal, ask) {
      const response = responses.get(async () => {
        const request = { controller: new AbortController(), waiting: 0 }
        requests.set(href, request)
        return ask(request.controller.signal).finally(() => {
          if (requests.get(href) === request) requests.delete(href)
        })
      }, href)
      const request = requests.get(href)
      if (request === undefined) return response
      request.waiting++
      try {
        return await unlessAborted(response, signal)
      } finally {
        if (--request.waiting === 0 && signal.aborted) {
          requests.delete(href)
          responses.delete(href)
          request.controller.abort()
        }
      }
    },
  }
}
