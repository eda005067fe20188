import { ownCopy } from '../base/json.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpClient, PipelineRequest, PipelineResponse } from '@azure/core-rest-pipeline'
import { isLoopback } from '../base/address.ts'
import { readVariable, type Env } from '../base/env.ts'
import { isServiceError, ServiceError, type ErrorCode, type NetworkFault, type NetworkRole } from '../errors.ts'
import { responseTimeoutMs, type Attempt, type TraceStepName } from './attempt.ts'
import { checkResponse } from './check-response.ts'
import { roleOf, type EgressPolicy, createEgressPolicy, proxyFor, isProxyFile } from './egress.ts'
import { exchange, type ExchangeOptions, getRequest } from './exchange.ts'
import { NetworkError } from './network-error.ts'

/** `documents` shares only OpenID configurations. */
export interface GuardedClientOptions extends Pick<
  ExchangeOptions,
  'attempt' | 'env' | 'maxBytes' | 'documents' | 'inner'
> {
  readonly egress: EgressPolicy
  /** The variables that name proxies. Default is none. */
  readonly proxies?: Env
  /** Milliseconds of one request, without its retry. Default is {@link responseTimeoutMs} of the attempt. */
  readonly requestTimeoutMs?: number
  /** Waits before a retry. Default is a timer. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

const retryDelayMs = 200
/** A longer Retry-After ends the attempt. */
const maxRetryAfterMs = 2000
const retriedFaults: ReadonlySet<NetworkFault> = new Set(['RESET', 'THROTTLED', 'HTTP_ERROR'])

/**
 * The HTTP client of every credential and of every request with a token. By itself, the credential library ignores timeouts and abort signals,
 * retries for minutes, follows any token endpoint and hides the cause of a failure. This client
 *
 * - refuses a host that the egress policy doesn't name, before its lookup, and a token over plain http;
 * - chooses the proxy itself: none on loopback, and none to an identity endpoint;
 * - ends a request after its own timeout and at the deadline of the attempt;
 * - refuses redirects, responses over the size limit, and OpenID configurations that point elsewhere;
 * - retries once;
 * - records each request in the attempt, without secrets, and the last failure, which the library hides.
 */
export function createGuardedClient(given: GuardedClientOptions): HttpClient {
  const options = ownCopy(given)
  const { attempt } = options
  const ref = attempt?.isBackground !== true
  const { wait = (ms, signal) => sleep(ms, undefined, { ref, ...(signal && { signal }) }) } = options
  return {
    async sendRequest(request) {
      for (let tries = 0; ; tries++) {
        try {
          return await send(request, options)
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
  // A random delay separates the retries of instances that failed together. It is never shorter than the Retry-After.
  return delay <= maxRetryAfterMs ? delay + Math.random() * Math.max(delay, retryDelayMs) : undefined
}

/** Makes one request, and records it. */
async function send(request: PipelineRequest, options: GuardedClientOptions): Promise<PipelineResponse> {
  const { egress, attempt } = options
  const started = performance.now()
  const url = new URL(request.url)
  const limit = limitRequest(options.requestTimeoutMs ?? responseTimeoutMs(attempt?.timeoutMs), attempt, request)
  let step: TraceStepName = 'other'
  let outcome: 'ok' | ErrorCode = 'UNEXPECTED'
  let answered: { readonly status?: number } = {}
  try {
    const role = roleOf(egress, request.url)
    step = stepOf(role, url)
    refusePlainToken(request, url)
    const proxy = proxyOf(url, role, options.proxies ?? {})
    const documents = step === 'openid-configuration' ? options.documents : undefined
    const response = await exchange(request, ownCopy({ ...options, documents, role, proxy, signal: limit.signal }))
    answered = { status: response.status }
    const checked = await checkResponse(response, { role, step, url, egress, signal: attempt?.signal })
    outcome = 'ok'
    return checked
  } catch (error) {
    // Releases the socket when a response body isn't fully read.
    limit.abort()
    if (isServiceError(error)) outcome = error.code
    throw error
  } finally {
    limit.release()
    const { method } = request
    const { host, pathname: path } = url
    const durationMs = Math.round(performance.now() - started)
    attempt?.record({ step, method, host, path, outcome, ...answered, durationMs })
  }
}

/** Any device on the path can read a token that is sent over plain http. Loopback has no path. */
function refusePlainToken({ headers }: PipelineRequest, url: URL): void {
  if (!headers.has('authorization') || url.protocol === 'https:' || isLoopback(url.hostname)) return
  throw new ServiceError('PLAIN_HTTP', `A token is never sent to ${url.host} over plain http`)
}

/** The proxy for a request. @throws {NetworkError} `…_PROXY_FAILED` if the variable of the proxy isn't a proxy URL. */
export function proxyOf(url: URL, role: NetworkRole, env: Env): URL | undefined {
  // The identity endpoint is link-local: a proxy would only capture its secret header.
  const proxy = role === 'IDENTITY_ENDPOINT' ? undefined : proxyFor(url, env).proxy
  if (proxy === undefined || proxy.url !== undefined) return proxy?.url
  const { variable } = proxy
  if (isProxyFile(readVariable(env, variable) ?? '')) {
    const message = `${variable} names a proxy configuration file (PAC), which only browsers evaluate, so ${url.host} cannot be reached`
    throw new NetworkError(role, 'PROXY_FAILED', message, { evidence: { variable, problem: 'configuration file' } })
  }
  const message = `${variable} must be an http or https proxy URL. Without it, ${url.host} cannot be reached`
  throw new NetworkError(role, 'PROXY_FAILED', message)
}

/** The purpose of the credential library's requests to a login authority, by the ending of the path. */
const endings: readonly (readonly [RegExp, TraceStepName])[] = [
  [/\/common\/discovery\/instance$/i, 'instance-discovery'],
  [/\/\.well-known\/openid-configuration$/i, 'openid-configuration'],
  [/\/userrealm\//i, 'user-realm'],
  [/\/devicecode$/i, 'device-code'],
  [/\/token$/i, 'token'],
]

/** The purpose of requests to other hosts. */
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

/** As `AbortSignal.any` with `AbortSignal.timeout`, which live until the timeout: their garbage collection costs more than the requests. */
function limitRequest(timeoutMs: number, attempt: Attempt | undefined, { abortSignal }: PipelineRequest) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  if (attempt?.isBackground === true) timer.unref()
  const outer = [abortSignal, attempt?.signal]
  for (const signal of outer) {
    if (signal?.aborted === true) abort()
    signal?.addEventListener('abort', abort)
  }
  return {
    signal: controller.signal,
    abort,
    release() {
      clearTimeout(timer)
      for (const signal of outer) signal?.removeEventListener('abort', abort)
    },
  }
}

export interface GetOptions extends Omit<GuardedClientOptions, 'egress' | 'documents' | 'wait'> {
  /** The prefix of an error code, such as `METADATA`. */
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

/** Makes a GET request with the guarded client to the URL's own host. Any status except a redirect is a result. @throws {NetworkError} */
export async function getDocument(url: string, options: GetOptions): Promise<Document> {
  const { role, headers, signal, ...rest } = ownCopy(options)
  const client = createGuardedClient({ egress: createEgressPolicy({ [role]: [url] }), ...rest })
  const response = await client.sendRequest(getRequest(url, headers, signal))
  return { status: response.status, headers: response.headers.toJSON(), text: response.bodyAsText ?? '' }
}
