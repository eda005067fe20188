import { createEmptyPipeline, createHttpHeaders, createPipelineRequest, proxyPolicy } from '@azure/core-rest-pipeline'
import type { NetworkRole } from '../errors.ts'
import { currentAttempt, type Attempt } from './attempt.ts'
import { createEgressPolicy } from './egress.ts'
import { createGuardedClient } from './guarded-client.ts'

export interface GetOptions {
  /** Who is asked; the prefix of a failure's code. */
  readonly role: NetworkRole
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the call early. */
  readonly signal?: AbortSignal
  /** Milliseconds. Default is 5000. */
  readonly timeoutMs?: number
  /** Bytes. Default is 1 MiB. */
  readonly maxBytes?: number
}

export interface Document {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * One GET of our own, under the rules of the guarded client: no redirect, bounded in time and size, proxies as the
 * environment says. Only the URL's own host may be contacted. Any status below 300 or from 400 on is a result.
 *
 * @throws {NetworkError} such as `METADATA_TIMEOUT`.
 */
export async function getDocument(url: string, options: GetOptions): Promise<Document> {
  const { role, headers = {}, timeoutMs, maxBytes } = options
  const client = createGuardedClient({
    egress: createEgressPolicy({ [role]: [url] }),
    ...(timeoutMs === undefined ? {} : { requestTimeoutMs: timeoutMs }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  })
  const pipeline = createEmptyPipeline()
  pipeline.addPolicy(proxyPolicy())
  const request = createPipelineRequest({
    url,
    headers: createHttpHeaders({ accept: 'application/json', ...headers }),
    allowInsecureConnection: url.startsWith('http:'),
    disableKeepAlive: true,
  })
  const attempt: Attempt = {
    signal: options.signal ?? new AbortController().signal,
    steps: currentAttempt.getStore()?.steps ?? [],
  }
  const response = await currentAttempt.run(attempt, () => pipeline.sendRequest(client, request))
  return { status: response.status, headers: response.headers.toJSON(), text: response.bodyAsText ?? '' }
}
