import { createHttpHeaders, createPipelineRequest, type HttpClient } from '@azure/core-rest-pipeline'
import type { NetworkRole } from '../errors.ts'
import type { Env } from '../base/env.ts'
import type { Attempt } from './attempt.ts'
import { createEgressPolicy } from './egress.ts'
import { createGuardedClient } from './guarded-client.ts'

export interface GetOptions {
  /** The prefix of a failure's code. */
  readonly role: NetworkRole
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the call early. */
  readonly signal?: AbortSignal
  /** The attempt that the request belongs to. Default is none. */
  readonly attempt?: Attempt | undefined
  /** Milliseconds. Default is 5000. */
  readonly timeoutMs?: number
  /** Bytes. Default is 1 MiB. */
  readonly maxBytes?: number
  /** The variables that name proxies. Default is none. */
  readonly proxies?: Env
  /** Sends the requests. Default is the client of Node. */
  readonly inner?: HttpClient
}

export interface Document {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * Makes one GET with the guarded client: no redirect, bounded in time and size, through the proxy of the variables. Only the URL's own host
 * may be contacted. Any status below 300 or from 400 on is a result.
 *
 * @throws {NetworkError} such as `METADATA_TIMEOUT`.
 */
export async function getDocument(url: string, options: GetOptions): Promise<Document> {
  const { role, headers = {}, signal, timeoutMs, ...rest } = options
  const client = createGuardedClient({
    egress: createEgressPolicy({ [role]: [url] }),
    ...(timeoutMs === undefined ? {} : { requestTimeoutMs: timeoutMs }),
    ...rest,
  })
  const request = createPipelineRequest({
    url,
    headers: createHttpHeaders({ accept: 'application/json', ...headers }),
    allowInsecureConnection: url.startsWith('http:'),
    disableKeepAlive: true,
    ...(signal === undefined ? {} : { abortSignal: signal }),
  })
  const response = await client.sendRequest(request)
  return { status: response.status, headers: response.headers.toJSON(), text: response.bodyAsText ?? '' }
}
