import { ownCopy } from '../base/json.ts'
import type { Agent } from 'node:http'
import { addAbortSignal, type Readable } from 'node:stream'
import {
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineRequest,
  type HttpClient,
  type PipelineRequest,
  type PipelineResponse,
} from '@azure/core-rest-pipeline'
import debug from 'debug'
import type { NetworkRole } from '../errors.ts'
import type { Attempt } from './attempt.ts'
import {
  connectionOptions,
  proxyAddress,
  proxyAuthorization,
  toProxyError,
  toRefusal,
  PlainAgent,
  Tunnel,
  WatchingAgent,
} from './proxy-connection.ts'
import { hostnameOf } from '../base/address.ts'
import type { Env } from '../base/env.ts'
import type { RefusedPeer } from './describe-certificate.ts'
import { unlessAborted } from '../base/waiting.ts'
import { NetworkError, toRequestError } from './network-error.ts'

// This folder makes every request of the service, and turns statuses and errno into faults. It uses src/lib/base, src/lib/clouds and errors.ts.

// If the variable DEBUG is set, the library's proxy agents print the address of the proxy with its password.
debug.log = () => {}

/** Responses by URL, which the credential and the probes of a process share for a short time. */
export type SharedDocuments = Map<string, { readonly response: Promise<PipelineResponse>; until: number }>

/** Milliseconds for which a shared response is reused. */
const sharedMs = 5000

export interface ExchangeOptions {
  readonly role: NetworkRole
  /** The proxy to use. A proxy in the request itself is ignored. */
  readonly proxy?: URL | undefined
  readonly signal: AbortSignal
  /** Limit of the body in bytes, after decompression. Default is 1 MiB. */
  readonly maxBytes?: number | undefined
  /** Shares the response with other requests to the same URL. */
  readonly documents?: SharedDocuments | undefined
  readonly attempt?: Attempt | undefined
  /** Sends the request. Default is the client of Node. */
  readonly inner?: HttpClient | undefined
  /** The variables that name certificate authorities, to explain a refused certificate. Default is none. */
  readonly env?: Env | undefined
}

/** A request for a JSON document, on its own connection. */
export function getRequest(url: string, headers: Readonly<Record<string, string>> = {}, abortSignal?: AbortSignal) {
  return createPipelineRequest({
    url,
    headers: createHttpHeaders({ accept: 'application/json', ...headers }),
    allowInsecureConnection: url.startsWith('http:'),
    disableKeepAlive: true,
    ...(abortSignal && { abortSignal }),
  })
}

/**
 * Makes a request, as every request of the service is made: directly or through the proxy, with limits of time and size, without a retry or a
 * redirect. Any status of the host is a result. @throws {NetworkError} if the host did not respond, or the proxy responded in its place.
 */
export async function exchange(request: PipelineRequest, options: ExchangeOptions): Promise<PipelineResponse> {
  const { documents, signal } = options
  if (documents === undefined) return send(request, options)
  const cached = documents.get(request.url)
  if (cached !== undefined && performance.now() < cached.until) {
    // Another caller's request may have failed because that caller gave up, so this caller makes its own.
    const shared = await unlessAborted(cached.response, signal).catch(() => undefined)
    if (shared !== undefined) return { ...shared, request }
    if (signal.aborted) return send(request, options)
  }
  const entry = { response: send(request, options), until: Infinity }
  documents.set(request.url, entry)
  entry.response.then(
    () => (entry.until = performance.now() + sharedMs),
    () => (entry.until = 0),
  )
  return entry.response
}

async function send(request: PipelineRequest, options: ExchangeOptions): Promise<PipelineResponse> {
  const { role, signal, maxBytes = 1024 * 1024 } = options
  const url = new URL(request.url)
  // Infinity makes the library return every body as a stream, so that this code can limit its size. `signal` limits the time.
  const streamResponseStatusCodes = new Set([Number.POSITIVE_INFINITY])
  const prepared = { ...request, abortSignal: signal, timeout: 0, streamResponseStatusCodes }
  /** Bytes of the body. */
  let received: number | undefined
  let peer: RefusedPeer | undefined
  try {
    const onPeer = (seen: RefusedPeer) => (peer = seen)
    const { readableStreamBody, bodyAsText = '', ...response } = ownCopy(await route(prepared, url, options, onPeer))
    if (readableStreamBody === undefined) return { ...response, bodyAsText, request }
    received = 0
    const chunks: Buffer[] = []
    // The library's own reader would wait forever for a body that stalls.
    for await (const chunk of addAbortSignal(signal, readableStreamBody as Readable)) {
      const bytes = Buffer.from(chunk as Uint8Array)
      received += bytes.length
      if (received > maxBytes) {
        const message = `${url.host} sent more than ${maxBytes} bytes`
        throw new NetworkError(role, 'RESPONSE_TOO_LARGE', message, { evidence: { host: url.host } })
      }
      chunks.push(bytes)
    }
    // Without a byte order mark.
    return { ...response, bodyAsText: new TextDecoder().decode(Buffer.concat(chunks)), request }
  } catch (error) {
    throw toRequestError(error, role, url, { aborted: signal.aborted, received, peer, env: options.env })
  }
}

/** Sends a request through the proxy, or directly. @throws {ProxyError} for a response of a proxy. */
async function route(
  sent: PipelineRequest,
  url: URL,
  { proxy, attempt, inner = createDefaultHttpClient() }: ExchangeOptions,
  onPeer: (peer: RefusedPeer) => unknown,
): Promise<PipelineResponse> {
  const { agent: _agent, proxySettings: _settings, ...given } = ownCopy(sent)
  const isBackground = attempt?.isBackground === true
  // The library would pass the brackets of an IPv6 address to the resolver, which refuses them.
  const requestOverrides = { hostname: hostnameOf(url), ...connectionOptions(attempt), onPeer, isBackground }
  // An idle connection that waits for its next request would keep the process alive.
  const disableKeepAlive = given.disableKeepAlive === true || isBackground
  const request = { ...given, disableKeepAlive, requestOverrides }
  if (proxy !== undefined && url.protocol === 'http:') return sendPlain(inner, request, proxy)
  const tunnel = proxy && new Tunnel(proxy, url, request.abortSignal)
  try {
    const response = await inner.sendRequest({ ...request, agent: tunnel ?? agentOf(request) })
    if (response.status === 407) throw refuse(response, proxy)
    return response
  } catch (error) {
    throw tunnel?.failure ?? error
  }
}

/** Sends a request without TLS. It needs no tunnel, because the proxy gets the whole URL (RFC 9112, section 3.2.2). */
async function sendPlain(inner: HttpClient, request: PipelineRequest, proxy: URL): Promise<PipelineResponse> {
  const { protocol, origin } = proxy
  const headers = createHttpHeaders({
    ...request.headers.toJSON(),
    host: new URL(request.url).host,
    ...proxyAuthorization(proxy),
  })
  const agent = new (protocol === 'https:' ? WatchingAgent : PlainAgent)()
  const requestOverrides = { ...proxyAddress(proxy), path: request.url }
  try {
    const response = await inner.sendRequest({ ...request, url: origin, headers, agent, requestOverrides })
    // Squid marks its own errors. Any other error status may come from the host.
    if (response.status === 407 || response.headers.has('x-squid-error')) throw refuse(response, proxy)
    return response
  } catch (error) {
    throw toProxyError(error, proxy)
  }
}

/** @param proxy `undefined` if no variable names the proxy. */
function refuse({ status, headers, readableStreamBody }: PipelineResponse, proxy: URL | undefined): Error {
  ;(readableStreamBody as Readable | undefined)?.destroy()
  return toRefusal(proxy, status, headers.toJSON())
}

/** Milliseconds after which an idle connection is closed. */
const idleTimeoutMs = 15_000
/** Idle connections to one host that are kept. */
const maxFreeSockets = 8

/** One agent for the whole process, because an agent for each credential would keep connections of credentials that are gone. Bound: two schemes, with and without keep-alive. */
const agents = new Map<string, Agent>()

/** If NODE_USE_ENV_PROXY is set, Node's global agents use a proxy even on loopback, so this service has separate agents. */
function agentOf({ url, disableKeepAlive }: Pick<PipelineRequest, 'url' | 'disableKeepAlive'>): Agent {
  const { protocol } = new URL(url)
  const keepAlive = disableKeepAlive !== true
  const key = `${protocol} ${keepAlive}`
  const options = { keepAlive, maxFreeSockets, timeout: idleTimeoutMs }
  const agent = agents.get(key) ?? new (protocol === 'https:' ? WatchingAgent : PlainAgent)(options)
  agents.set(key, agent)
  return agent
}
