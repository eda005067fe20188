import { setTimeout as sleep } from 'node:timers/promises'
import {
  type HttpClient,
  type PipelineRequest,
  type PipelineResponse,
  createHttpHeaders,
  createPipelineRequest,
} from '@azure/core-rest-pipeline'
import { isLoopback } from '../base/address.ts'
import type { Env } from '../base/env.ts'
import { isServiceError, ServiceError, type ErrorCode, type NetworkFault, type NetworkRole } from '../errors.ts'
import { longestAnswerMs, type Attempt, type TraceStepName } from './attempt.ts'
import { checkResponse } from './check-response.ts'
import { roleOf, type EgressPolicy, createEgressPolicy, proxyFor, isProxyFile } from './egress.ts'
import { exchange, type SharedDocuments } from './exchange.ts'
import { NetworkError } from './network-error.ts'

export interface GuardedClientOptions {
  readonly egress: EgressPolicy
  /** The attempt that the requests belong to. Default is none. */
  readonly attempt?: Attempt | undefined
  /** The variables that name proxies. Default is none. */
  readonly proxies?: Env
  /** The variables that name certificate authorities, for the explanation of a refused certificate. Default is none. */
  readonly env?: Env | undefined
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
 * The one HTTP client beneath every credential and every request with a token. The credential library ignores time-outs and abort signals,
 * retries for minutes, follows any token endpoint and hides the cause of a failure. This client
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
  const { attempt } = options
  const ref = attempt?.isBackground !== true
  const { wait = (ms, signal) => sleep(ms, undefined, { ref, ...(signal && { signal }) }) } = options
  return {
    async sendRequest(request) {
      for (let tries = 0; ; tries++) {
        try {
          return await sendRecorded(request, options)
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

function retryDelayOf(error: unknown): number | undefined {
  if (!(error instanceof NetworkError) || !retriedFaults.has(error.fault)) return undefined
  // A 4xx is final.
  if (error.fault === 'HTTP_ERROR' && (error.status ?? 0) < 500) return undefined
  const delay = error.retryAfterMs ?? retryDelayMs
  // Instances that failed together retry apart, and never before the end of a Retry-After.
  return delay <= maxRetryAfterMs ? delay + Math.random() * Math.max(delay, retryDelayMs) : undefined
}

/** Sends a request and records it in the attempt. */
async function sendRecorded(request: PipelineRequest, options: GuardedClientOptions): Promise<PipelineResponse> {
  const started = performance.now()
  const url = new URL(request.url)
  let step: TraceStepName = 'other'
  let outcome: 'ok' | ErrorCode = 'UNEXPECTED'
  let answered: { readonly status?: number } = {}
  try {
    const role = roleOf(options.egress, request.url)
    step = stepOf(role, url)
    const response = await send(request, { ...options, role, step, onStatus: (status) => (answered = { status }) })
    outcome = 'ok'
    return response
  } catch (error) {
    if (isServiceError(error)) outcome = error.code
    throw error
  } finally {
    const { method } = request
    const durationMs = Math.round(performance.now() - started)
    const { host, pathname: path } = url
    options.attempt?.record({ step, method, host, path, outcome, ...answered, durationMs })
  }
}

interface SendOptions extends GuardedClientOptions {
  readonly role: NetworkRole
  readonly step: TraceStepName
  /** Called with the status of the response, also when the response is then refused. */
  readonly onStatus: (status: number) => void
}

async function send(request: PipelineRequest, options: SendOptions): Promise<PipelineResponse> {
  const { role, step, egress, attempt, documents, proxies = {}, env, maxBytes, inner } = options
  const url = new URL(request.url)
  refusePlainToken(request, url)
  const proxy = proxyOf(url, role, proxies)
  const limit = limitRequest(options.requestTimeoutMs ?? longestAnswerMs(attempt?.timeoutMs), [
    request.abortSignal,
    attempt?.signal,
  ])
  if (attempt?.isBackground === true) limit.unref()
  const { signal } = limit
  try {
    const response = await exchange(request, {
      documents: step === 'openid-configuration' ? documents : undefined,
      role,
      proxy,
      signal,
      maxBytes,
      attempt,
      inner,
      env,
    })
    options.onStatus(response.status)
    return await checkResponse(response, { role, step, url, egress, signal: attempt?.signal })
  } catch (error) {
    // Releases the socket when a response body isn't fully read.
    limit.abort()
    throw error
  } finally {
    limit.release()
  }
}

/** Every hop can read a token that is sent over plain http. Loopback has no hops. */
function refusePlainToken({ headers }: PipelineRequest, url: URL): void {
  if (!headers.has('authorization') || url.protocol === 'https:' || isLoopback(url.hostname)) return
  throw new ServiceError('PLAIN_HTTP', `A token is never sent to ${url.host} over plain http`)
}

/**
 * The proxy that a request takes.
 *
 * @throws {NetworkError} `…_PROXY_FAILED` when its variable isn't a proxy URL.
 */
export function proxyOf(url: URL, role: NetworkRole, env: Env): URL | undefined {
  // The identity endpoint is link-local: a proxy would only capture its secret header.
  const proxy = role === 'IDENTITY_ENDPOINT' ? undefined : proxyFor(url, env).proxy
  if (proxy === undefined || proxy.url !== undefined) return proxy?.url
  const { variable } = proxy
  if (!isProxyFile(env[variable] ?? '')) {
    const message = `${variable} must be an http or https proxy URL, so ${url.host} cannot be reached`
    throw new NetworkError(role, 'PROXY_FAILED', message)
  }
  const message = `${variable} names a proxy configuration file (PAC), which only browsers evaluate, so ${url.host} cannot be reached`
  throw new NetworkError(role, 'PROXY_FAILED', message, { evidence: { proxyFile: variable } })
}

/** Path endings of the requests that the credential library makes to a login authority. It doesn't say what a request is for. */
const endings: readonly (readonly [RegExp, TraceStepName])[] = [
  [/\/common\/discovery\/instance$/i, 'instance-discovery'],
  [/\/\.well-known\/openid-configuration$/i, 'openid-configuration'],
  [/\/userrealm\//i, 'user-realm'],
  [/\/devicecode$/i, 'device-code'],
  [/\/token$/i, 'token'],
]

/** The purpose of requests to hosts of the other kinds. */
const stepsByRole: Readonly<Record<Exclude<NetworkRole, 'AUTHORITY'>, TraceStepName>> = {
  IDENTITY_ENDPOINT: 'managed-identity',
  RESOURCE_MANAGER: 'resource-manager',
  METADATA: 'metadata',
  SERVICE: 'other',
}

function stepOf(role: NetworkRole, { pathname }: URL): TraceStepName {
  if (role !== 'AUTHORITY') return stepsByRole[role]
  return endings.find(([pattern]) => pattern.test(pathname))?.[1] ?? 'other'
}

type Signal = NonNullable<PipelineRequest['abortSignal']>

/**
 * Like `AbortSignal.any` with `AbortSignal.timeout`, but released with the request. The platform's signals live until the time-out, and
 * collecting many of them costs more than the requests.
 *
 * @param timeoutMs Milliseconds from now.
 * @param outer Undefined ones are left out.
 */
function limitRequest(timeoutMs: number, outer: readonly (Signal | undefined)[]) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  for (const signal of outer) {
    if (signal?.aborted === true) abort()
    signal?.addEventListener('abort', abort)
  }
  return {
    signal: controller.signal,
    abort,
    unref: () => timer.unref(),
    release() {
      clearTimeout(timer)
      for (const signal of outer) signal?.removeEventListener('abort', abort)
    },
  }
}

export interface GetOptions extends Omit<GuardedClientOptions, 'egress' | 'documents' | 'wait'> {
  /** The prefix of a failure's code. */
  readonly role: NetworkRole
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the call early. */
  readonly signal?: AbortSignal
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
export async function getDocument(url: string, { role, headers = {}, signal, ...rest }: GetOptions): Promise<Document> {
  const client = createGuardedClient({ egress: createEgressPolicy({ [role]: [url] }), ...rest })
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
