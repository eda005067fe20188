import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { addAbortSignal, type Readable } from 'node:stream'
import {
  createDefaultHttpClient,
  createHttpHeaders,
  type HttpClient,
  type PipelineRequest,
  type PipelineResponse,
} from '@azure/core-rest-pipeline'
import debug from 'debug'
import type { NetworkRole } from '../errors.ts'
import type { Attempt } from './attempt.ts'
import { trustOptions } from './certificate-authorities.ts'
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

// If DEBUG is set, the library's proxy agents print the address of the proxy with its password.
debug.log = () => {}

/** Responses by URL that the credential and the probes of a process share while they are requested, and shortly after. */
export type SharedDocuments = Map<string, { readonly response: Promise<PipelineResponse>; until: number }>

/** Milliseconds that a shared response is reused. */
const sharedMs = 5000

export interface ExchangeOptions {
  readonly role: NetworkRole
  /** The proxy that the request takes; a proxy in the request itself is ignored. */
  readonly proxy?: URL | undefined
  readonly signal: AbortSignal
  /** Bytes of the body, after decompression. Default is 1 MiB. */
  readonly maxBytes?: number | undefined
  /** Shares the response with other requests of the same run. */
  readonly documents?: SharedDocuments | undefined
  /** The attempt that waits for the response. */
  readonly attempt?: Attempt | undefined
  /** Sends the request. Default is the client of Node. */
  readonly inner?: HttpClient | undefined
  /** The variables that name certificate authorities, for the explanation of a refused certificate. Default is none. */
  readonly env?: Env | undefined
}

/**
 * The one path of every request: through the proxy or directly, bounded in time and size, never repeated or redirected. Any status is a
 * result, except from a proxy.
 *
 * @throws {NetworkError} if there is no response, or the proxy responded instead.
 */
export async function exchange(request: PipelineRequest, options: ExchangeOptions): Promise<PipelineResponse> {
  const { documents, signal } = options
  if (documents === undefined) return send(request, options)
  const known = documents.get(request.url)
  if (known !== undefined && performance.now() < known.until) {
    // After the failure of another caller, which may have given up, this one makes its own request.
    const shared = await unlessAborted(known.response, signal).catch(() => undefined)
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
  // The body comes as a stream, which is read with a limit, and no time-out of the client below applies.
  const streamResponseStatusCodes = new Set([Number.POSITIVE_INFINITY])
  const prepared = { ...request, abortSignal: signal, timeout: 0, streamResponseStatusCodes }
  let received: Received | undefined
  let peer: RefusedPeer | undefined
  try {
    const onPeer = (seen: RefusedPeer) => (peer = seen)
    const { readableStreamBody, bodyAsText = '', ...response } = await route(prepared, url, options, onPeer)
    if (readableStreamBody === undefined) return { ...response, bodyAsText, request }
    received = { bytes: 0 }
    const read = await readBoundedText(readableStreamBody, maxBytes, signal, received)
    if (read !== undefined) return { ...response, bodyAsText: read, request }
    const message = `${url.host} sent more than ${maxBytes} bytes`
    throw new NetworkError(role, 'RESPONSE_TOO_LARGE', message, { evidence: { host: url.host } })
  } catch (error) {
    throw toRequestError(error, role, url, {
      aborted: signal.aborted,
      received: received?.bytes,
      peer,
      env: options.env,
    })
  }
}

/** What has arrived of a body. */
interface Received {
  bytes: number
}

/** Sends a request through the proxy, or directly. @throws {ProxyError} for a response of a proxy. */
async function route(
  { agent: _agent, proxySettings: _settings, ...given }: PipelineRequest,
  url: URL,
  { role, proxy, attempt, inner = createDefaultHttpClient() }: ExchangeOptions,
  onPeer: (peer: RefusedPeer) => unknown,
): Promise<PipelineResponse> {
  // Certificates are checked even if NODE_TLS_REJECT_UNAUTHORIZED=0 was set after the start. The library keeps the brackets of an IPv6
  // address, which no resolver accepts.
  const connection = { rejectUnauthorized: true, ...trustOptions(), ...connectionOptions(role, attempt) }
  const isBackground = attempt?.isBackground === true
  const requestOverrides = { hostname: hostnameOf(url), ...connection, onPeer, isBackground }
  // A connection that is used again would keep the process alive.
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

/** A request without TLS needs no tunnel: the proxy gets the whole URL (RFC 9112, section 3.2.2). */
async function sendPlain(inner: HttpClient, request: PipelineRequest, proxy: URL): Promise<PipelineResponse> {
  const { protocol, origin } = proxy
  const headers = createHttpHeaders({
    ...request.headers.toJSON(),
    host: new URL(request.url).host,
    ...proxyAuthorization(proxy),
  })
  const agent = new (protocol === 'https:' ? SecureAgent : Agent)()
  const requestOverrides = { ...proxyAddress(proxy), path: request.url }
  try {
    const response = await inner.sendRequest({ ...request, url: origin, headers, agent, requestOverrides })
    // Squid names its own errors; any other error status may come from the host.
    if (response.status === 407 || response.headers.has('x-squid-error')) throw refuse(response, proxy)
    return response
  } catch (error) {
    throw toProxyError(error, proxy)
  }
}

/** @param proxy Absent for a proxy that no variable names. */
function refuse({ status, headers, readableStreamBody }: PipelineResponse, proxy: URL | undefined): Error {
  // A stream of Node, so that it can be destroyed.
  ;(readableStreamBody as Readable | undefined)?.destroy()
  return toRefusal(proxy, status, headers.toJSON())
}

/** Milliseconds after which an idle connection is closed. */
const idleTimeoutMs = 15_000
/** Idle connections to one host that are kept. */
const maxFreeSockets = 8

/** They belong to the process: an agent of a credential would keep a connection for each credential that was dropped. */
const agents = new Map<string, Agent>()

/** If NODE_USE_ENV_PROXY is set, Node's global agents use the proxy of the environment, on loopback too. These agents do not. */
function agentOf({ url, disableKeepAlive }: Pick<PipelineRequest, 'url' | 'disableKeepAlive'>): Agent {
  const { protocol } = new URL(url)
  const keepAlive = disableKeepAlive !== true
  const key = `${protocol} ${keepAlive}`
  const options = { keepAlive, maxFreeSockets, timeout: idleTimeoutMs }
  const agent = agents.get(key) ?? new (protocol === 'https:' ? WatchingAgent : PlainAgent)(options)
  agents.set(key, agent)
  return agent
}

/**
 * Reads a body as UTF-8 text, without a byte order mark. The stream is destroyed when the signal aborts or the limit is exceeded: the
 * library's own reader waits forever for a body that stalls.
 *
 * @returns `undefined` if the body exceeds the limit.
 */
async function readBoundedText(
  stream: NodeJS.ReadableStream,
  maxBytes: number,
  signal: AbortSignal,
  received: Received,
) {
  const chunks: Buffer[] = []
  for await (const chunk of addAbortSignal(signal, stream as Readable)) {
    const bytes = Buffer.from(chunk as Uint8Array)
    received.bytes += bytes.length
    if (received.bytes > maxBytes) return undefined
    chunks.push(bytes)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
