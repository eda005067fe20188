import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { keep, type Kept } from './keep.ts'
import { unlessAborted } from './unless-aborted.ts'

/** Public documents that are under way or just came in, by address: the credential and the probes read the same one. */
export type SharedDocuments = Kept<PipelineResponse>

/** Milliseconds that a document is asked for, whoever waits for it, and that it is kept. */
const askMs = 5000
const keepMs = 5000

export function createSharedDocuments(now?: () => number): SharedDocuments {
  return keep(() => keepMs, now === undefined ? {} : { now })
}

/**
 * A document that others may be asking for too. The question has a time of its own, for it belongs to nobody's deadline: one who gives up
 * must not take the answer from the others.
 *
 * @param ask Makes the request, and ends it when its signal aborts.
 */
export async function shareDocument(
  documents: SharedDocuments,
  url: URL,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<PipelineResponse>,
): Promise<PipelineResponse> {
  return unlessAborted(
    documents.get(url.href, () => ask(AbortSignal.timeout(askMs))),
    signal,
  )
}
