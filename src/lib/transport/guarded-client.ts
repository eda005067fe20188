import { setTimeout as sleep } from 'node:timers/promises'
import {
  createDefaultHttpClient,
  type HttpClient,
  type PipelineRequest,
  type PipelineResponse,
} from '@azure/core-rest-pipeline'
import { isServiceError, ServiceError, type ErrorCode, type NetworkFault, type NetworkRole } from '../errors.ts'
import type { Env } from '../base/env.ts'
import { currentAttempt, type TraceStepName } from './attempt.ts'
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
  /** Milliseconds one request may take, retries not counted. Default is {@link longestAnswerMs} of the attempt. */
  readonly requestTimeoutMs?: number
  /** Bytes one answer may have, after decompression. Default is 1 MiB. */
  readonly maxBytes?: number
  /** Shares the OpenID configuration with whoever else reads it now. */
  readonly documents?: SharedDocuments | undefined
  /** What sends in the end. Default is the client of Node. */
  readonly inner?: HttpClient
}

const retryDelayMs = 200
/** The longest Retry-After that is waited for; a longer one ends the attempt. */
const maxRetryAfterMs = 2000
const retriedFaults: ReadonlySet<NetworkFault> = new Set(['RESET', 'THROTTLED', 'HTTP_ERROR'])

/**
 * The one HTTP client beneath every credential and every call of our own. The credential library ignores time-outs and
 * abort signals, retries for minutes, follows any token endpoint and hides the cause of a failure; this client
 *
 * - refuses a host that the egress policy does not name, before any lookup, and a token on its way over plain http;
 * - decides itself which proxy is taken: none on loopback, and none to an identity endpoint;
 * - ends a request after its own time-out and with the attempt's deadline, whatever the other side does;
 * - refuses redirects, answers over the size limit, and OpenID configurations that point elsewhere;
 * - retries once, shortly, what is worth it;
 * - leaves a trace of each request without anything secret.
 *
 * Failures are {@link ServiceError}s; the library wraps them beyond recognition, so the attempt keeps the last one.
 */
export function createGuardedClient(options: GuardedClientOptions): HttpClient {
  const proxied = createProxiedClient(options.inner ?? createDefaultHttpClient(), options.proxies ?? {})
  return {
    async sendRequest(request) {
      const attempt = currentAttempt.getStore()
      for (let tries = 0; ; tries++) {
        try {
          return await sendOnce(proxied, request, options)
        } catch (error) {
          const delay = tries === 0 ? retryDelayOf(error) : undefined
          if (delay === undefined || attempt?.signal.aborted === true) {
            if (attempt !== undefined && error instanceof Error) attempt.failure = error
            throw error
          }
          await sleep(delay, undefined, attempt === undefined ? {} : { signal: attempt.signal })
        }
      }
    },
  }
}

function retryDelayOf(error: unknown): number | undefined {
  if (!(error instanceof NetworkError) || !retriedFaults.has(error.fault)) return undefined
  // What was refused for good is not asked again.
  if (error.fault === 'HTTP_ERROR' && (error.status ?? 0) < 500) return undefined
  const delay = error.retryAfterMs ?? retryDelayMs
  return delay <= maxRetryAfterMs ? delay : undefined
}

/** Sends a request and writes down what became of it. */
async function sendOnce(
  proxied: ProxiedClient,
  request: PipelineRequest,
  options: GuardedClientOptions,
): Promise<PipelineResponse> {
  const attempt = currentAttempt.getStore()
  const started = performance.now()
  const url = new URL(request.url)
  const step = stepOf(url)
  let outcome: 'ok' | ErrorCode = 'UNEXPECTED'
  let status: number | undefined
  const note = (answered: number) => (status = answered)
  try {
    const role = roleOf(options.egress, request.url)
    refusePlainToken(request, url)
    const response = await ask(proxied, { request, role, url, step, note }, options)
    outcome = 'ok'
    return { ...response, request }
  } catch (error) {
    outcome = isServiceError(error) ? error.code : 'UNEXPECTED'
    throw error
  } finally {
    const durationMs = Math.round(performance.now() - started)
    const answered = status === undefined ? {} : { status }
    attempt?.steps.push({
      step,
      method: request.method,
      host: url.host,
      path: url.pathname,
      outcome,
      ...answered,
      durationMs,
    })
  }
}

interface Question {
  readonly request: PipelineRequest
  readonly role: NetworkRole
  readonly url: URL
  readonly step: TraceStepName
  /** Told the status of the answer, good or not. */
  readonly note: (status: number) => void
}

async function ask(
  proxied: ProxiedClient,
  { request, role, url, step, note }: Question,
  { egress, requestTimeoutMs, maxBytes = 1024 * 1024, documents }: GuardedClientOptions,
): Promise<PipelineResponse> {
  const proxy = proxied.proxyOf(url, role)
  const attempt = currentAttempt.getStore()
  const timeoutMs = requestTimeoutMs ?? longestAnswerMs(attempt?.timeoutMs)
  const limit = limitRequest(timeoutMs, [request.abortSignal, attempt?.signal])
  const send = async (signal: AbortSignal) => {
    try {
      return await exchange(proxied, { request, proxy, signal, maxBytes })
    } catch (error) {
      throw toRequestError(error, { role, url, aborted: signal.aborted })
    }
  }
  try {
    const response = await (step === 'openid-configuration' && documents !== undefined
      ? documents.share(url, limit.signal, send)
      : send(limit.signal))
    note(response.status)
    return await checkResponse(response, { role, step, url, egress, signal: attempt?.signal })
  } catch (error) {
    const described = toRequestError(error, { role, url, aborted: limit.signal.aborted })
    // Frees the socket of an answer that was given up half-way.
    limit.abort()
    throw described
  } finally {
    limit.release()
  }
}

/** A token on plain http could be read by anybody on the way; on this machine nobody is. */
function refusePlainToken({ headers }: PipelineRequest, url: URL): void {
  if (!headers.has('authorization') || url.protocol === 'https:' || isLoopback(url.hostname)) return
  throw new ServiceError('PLAIN_HTTP', `A token is never sent to ${url.host} over plain http`)
}

interface Exchange {
  readonly request: PipelineRequest
  readonly proxy: URL | undefined
  readonly signal: AbortSignal
  readonly maxBytes: number
}

async function exchange(
  proxied: ProxiedClient,
  { request, proxy, signal, maxBytes }: Exchange,
): Promise<PipelineResponse> {
  const prepared = {
    ...request,
    abortSignal: signal,
    timeout: 0,
    streamResponseStatusCodes: new Set([Number.POSITIVE_INFINITY]),
  }
  const { readableStreamBody, bodyAsText = '', ...response } = await proxied.send(prepared, proxy)
  if (readableStreamBody === undefined) return { ...response, bodyAsText }
  return { ...response, bodyAsText: await readBoundedText(readableStreamBody, maxBytes, signal) }
}
