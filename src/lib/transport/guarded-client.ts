import { setTimeout as sleep } from 'node:timers/promises'
import {
  createDefaultHttpClient,
  type HttpClient,
  type PipelineRequest,
  type PipelineResponse,
} from '@azure/core-rest-pipeline'
import { isServiceError, ServiceError, type ErrorCode, type NetworkFault } from '../errors.ts'
import type { Env } from '../base/env.ts'
import { currentAttempt } from './attempt.ts'
import { toRequestError } from './request-error.ts'
import { roleOf, type EgressPolicy } from './egress.ts'
import { checkResponse } from './check-response.ts'
import { isLoopback } from '../base/address.ts'
import { NetworkError } from './network-error.ts'
import { readBoundedText } from './read-bounded-text.ts'
import { limitRequest, longestAnswerMs } from './request-limit.ts'
import { createProxiedClient, type ProxiedClient } from './send-proxied.ts'
import type { SharedDocuments } from './shared-documents.ts'
import { stepOf } from './request-step.ts'

export interface GuardedClientOptions {
  readonly egress: EgressPolicy
  /** The variables that name proxies. Default is none. */
  readonly proxies?: Env
  /** Milliseconds of one request, without its retry. Default is {@link longestAnswerMs} of the attempt. */
  readonly requestTimeoutMs?: number
  /** Bytes of one response, after decompression. Default is 1 MiB. */
  readonly maxBytes?: number
  /** Shares OpenID configurations with the probes that run at the same time. */
  readonly documents?: SharedDocuments | undefined
  /** Sends the requests. Default is the client of Node. */
  readonly inner?: HttpClient
  /** Waits before a retry. Default is a timer. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

const retryDelayMs = 200
/** A longer Retry-After ends the attempt. */
const maxRetryAfterMs = 2000
const retriedFaults: ReadonlySet<NetworkFault> = new Set(['RESET', 'THROTTLED', 'HTTP_ERROR'])

/**
 * The one HTTP client beneath every credential and every request of this service. The credential library ignores time-outs and abort
 * signals, retries for minutes, follows any token endpoint and hides the cause of a failure. This client
 *
 * - refuses a host that the egress policy does not name, before any lookup, and a token over plain http;
 * - chooses the proxy itself: none on loopback, and none to an identity endpoint;
 * - ends a request after its own time-out and with the attempt's deadline;
 * - refuses redirects, responses over the size limit, and OpenID configurations that point elsewhere;
 * - retries once;
 * - records each request in the attempt, without secrets.
 *
 * Failures are {@link ServiceError}s. The library hides them, so the attempt keeps the last one.
 */
export function createGuardedClient(options: GuardedClientOptions): HttpClient {
  const { wait = waitByTimer } = options
  const proxied = createProxiedClient(options.inner ?? createDefaultHttpClient(), options.proxies ?? {})
  return {
    async sendRequest(request) {
      const attempt = currentAttempt.getStore()
      for (let tries = 0; ; tries++) {
        try {
          return await sendRecorded(proxied, request, options)
        } catch (error) {
          const delay = tries === 0 ? retryDelayOf(error) : undefined
          if (delay === undefined || attempt?.signal.aborted === true) {
            if (attempt !== undefined && error instanceof Error) attempt.failure = error
            throw error
          }
          await wait(delay, attempt?.signal)
        }
      }
    },
  }
}

function waitByTimer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return sleep(ms, undefined, signal === undefined ? {} : { signal })
}

function retryDelayOf(error: unknown): number | undefined {
  if (!(error instanceof NetworkError) || !retriedFaults.has(error.fault)) return undefined
  // A 4xx is final.
  if (error.fault === 'HTTP_ERROR' && (error.status ?? 0) < 500) return undefined
  const delay = error.retryAfterMs ?? retryDelayMs
  // Instances that failed together retry apart, and never before the end of a Retry-After.
  return delay <= maxRetryAfterMs ? delay + Math.random() * Math.max(delay, retryDelayMs) : undefined
}

/** Sends a request and records it in the attempt. */
async function sendRecorded(
  proxied: ProxiedClient,
  request: PipelineRequest,
  options: GuardedClientOptions,
): Promise<PipelineResponse> {
  const started = performance.now()
  const url = new URL(request.url)
  const step = stepOf(url)
  let outcome: 'ok' | ErrorCode = 'UNEXPECTED'
  let answered: { readonly status?: number } = {}
  try {
    const response = await send(proxied, request, options, (status) => (answered = { status }))
    outcome = 'ok'
    return { ...response, request }
  } catch (error) {
    if (isServiceError(error)) outcome = error.code
    throw error
  } finally {
    const { method } = request
    const durationMs = Math.round(performance.now() - started)
    const { host, pathname: path } = url
    currentAttempt.getStore()?.record({ step, method, host, path, outcome, ...answered, durationMs })
  }
}

/** @param onStatus Called with the status of the response, also when the response is then refused. */
async function send(
  proxied: ProxiedClient,
  request: PipelineRequest,
  { egress, requestTimeoutMs, maxBytes = 1024 * 1024, documents }: GuardedClientOptions,
  onStatus: (status: number) => void,
): Promise<PipelineResponse> {
  const url = new URL(request.url)
  const role = roleOf(egress, request.url)
  refusePlainToken(request, url)
  const proxy = proxied.proxyOf(url, role)
  const attempt = currentAttempt.getStore()
  const step = stepOf(url)
  const limit = limitRequest(requestTimeoutMs ?? longestAnswerMs(attempt?.timeoutMs), [
    request.abortSignal,
    attempt?.signal,
  ])
  const exchange = async (signal: AbortSignal): Promise<PipelineResponse> => {
    // The body comes as a stream, and no time-out of the client below applies.
    const streamResponseStatusCodes = new Set([Number.POSITIVE_INFINITY])
    const prepared = { ...request, abortSignal: signal, timeout: 0, streamResponseStatusCodes }
    try {
      const { readableStreamBody, bodyAsText = '', ...response } = await proxied.send(prepared, { role, proxy })
      if (readableStreamBody === undefined) return { ...response, bodyAsText }
      return { ...response, bodyAsText: await readBoundedText(readableStreamBody, maxBytes, signal) }
    } catch (error) {
      throw toRequestError(error, { role, url, aborted: signal.aborted })
    }
  }
  try {
    const isShared = step === 'openid-configuration' && documents !== undefined
    const response = await (isShared ? documents.share(url, limit.signal, exchange) : exchange(limit.signal))
    onStatus(response.status)
    return await checkResponse(response, { role, step, url, egress, signal: attempt?.signal })
  } catch (error) {
    const described = toRequestError(error, { role, url, aborted: limit.signal.aborted })
    // Frees the socket of a response that was not read to its end.
    limit.abort()
    throw described
  } finally {
    limit.release()
  }
}

/** Every hop could read a token on plain http. Loopback has no hops. */
function refusePlainToken({ headers }: PipelineRequest, url: URL): void {
  if (!headers.has('authorization') || url.protocol === 'https:' || isLoopback(url.hostname)) return
  throw new ServiceError('PLAIN_HTTP', `A token is never sent to ${url.host} over plain http`)
}
