import { setTimeout as sleep } from 'node:timers/promises'
import {
  createDefaultHttpClient,
  type HttpClient,
  type PipelineRequest,
  type PipelineResponse,
} from '@azure/core-rest-pipeline'
import { isServiceError, type ErrorCode, type NetworkFault, type NetworkRole } from '../errors.ts'
import { currentAttempt } from './attempt.ts'
import { describeFailure } from './describe-failure.ts'
import type { DocumentShare } from './document-share.ts'
import { roleOf, type EgressPolicy } from './egress.ts'
import { inspectAnswer } from './inspect-answer.ts'
import { NetworkError } from './network-error.ts'
import { readBoundedText } from './read-bounded-text.ts'
import { limitRequest } from './request-limit.ts'
import { stepOf } from './step.ts'

export interface GuardedClientOptions {
  readonly egress: EgressPolicy
  /** Milliseconds one request may take, retries not counted. Default is 5000. */
  readonly requestTimeoutMs?: number
  /** Bytes one answer may have, after decompression. Default is 1 MiB. */
  readonly maxBytes?: number
  /** Shares the login document with whoever else reads it now. */
  readonly documents?: DocumentShare | undefined
}

const retryDelayMs = 200
/** The longest Retry-After that is waited for; a longer one ends the attempt. */
const maxRetryAfterMs = 2000
const retriedFaults: ReadonlySet<NetworkFault> = new Set(['RESET', 'THROTTLED', 'HTTP_ERROR'])

/**
 * The one HTTP client beneath every credential and every call of our own. The credential library ignores time-outs and
 * abort signals, retries for minutes, follows any token endpoint and hides the cause of a failure; this client
 *
 * - refuses a host that the egress policy does not name, before any lookup;
 * - ends a request after its own time-out and with the attempt's deadline, whatever the other side does;
 * - refuses redirects, answers over the size limit, and login documents that point elsewhere;
 * - retries once, shortly, what is worth it;
 * - leaves a trace of each request without anything secret.
 *
 * Failures are {@link ServiceError}s; the library wraps them beyond recognition, so the attempt keeps the last one.
 */
export function createGuardedClient(options: GuardedClientOptions): HttpClient {
  const inner = createDefaultHttpClient()
  return {
    async sendRequest(request) {
      const attempt = currentAttempt.getStore()
      for (let tries = 0; ; tries++) {
        try {
          return await sendOnce(inner, request, options)
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
  const delay = error.retryAfterMs ?? retryDelayMs
  return delay <= maxRetryAfterMs ? delay : undefined
}

async function sendOnce(
  inner: HttpClient,
  request: PipelineRequest,
  { egress, requestTimeoutMs = 5000, maxBytes = 1024 * 1024, documents }: GuardedClientOptions,
): Promise<PipelineResponse> {
  const attempt = currentAttempt.getStore()
  const started = performance.now()
  const url = new URL(request.url)
  const step = stepOf(url)
  let outcome: 'ok' | ErrorCode = 'UNEXPECTED'
  let status: number | undefined
  try {
    const role = roleOf(egress, request.url)
    const limit = limitRequest(requestTimeoutMs, [request.abortSignal, attempt?.signal])
    const { signal } = limit
    const describe = (error: unknown) =>
      describeFailure(error, {
        role,
        url,
        aborted: signal.aborted,
        proxied: request.proxySettings !== undefined || request.agent !== undefined,
      })
    try {
      // Described here, for whoever shares the document knows nothing of the signal that ended it.
      const send = () =>
        exchange(inner, prepare(request, role, signal), signal, maxBytes).catch((error: unknown) => {
          throw describe(error)
        })
      const response = await (step === 'login-document' && documents ? documents.get(url.href, send) : send())
      status = response.status
      inspectAnswer(response, { role, step, url, egress })
      outcome = 'ok'
      return { ...response, request }
    } catch (error) {
      const described = describe(error)
      // Frees the socket of an answer that was given up half-way.
      limit.abort()
      throw described
    } finally {
      limit.release()
    }
  } catch (error) {
    outcome = isServiceError(error) ? error.code : 'UNEXPECTED'
    throw error
  } finally {
    const durationMs = Math.round(performance.now() - started)
    attempt?.steps.push({
      step,
      method: request.method,
      host: url.host,
      path: url.pathname,
      outcome,
      ...(status === undefined ? {} : { status }),
      durationMs,
    })
  }
}

function prepare(request: PipelineRequest, role: NetworkRole, signal: AbortSignal): PipelineRequest {
  // The identity endpoint is link-local: a proxy would only capture its secret header.
  const { agent: _agent, proxySettings: _proxySettings, ...direct } = request
  const base = role === 'IDENTITY_ENDPOINT' ? direct : request
  return {
    ...base,
    abortSignal: signal,
    timeout: 0,
    streamResponseStatusCodes: new Set([Number.POSITIVE_INFINITY]),
  }
}

async function exchange(
  inner: HttpClient,
  request: PipelineRequest,
  signal: AbortSignal,
  maxBytes: number,
): Promise<PipelineResponse> {
  const { readableStreamBody, ...response } = await inner.sendRequest(request)
  const bodyAsText = readableStreamBody === undefined ? '' : await readBoundedText(readableStreamBody, maxBytes, signal)
  return { ...response, bodyAsText }
}
