import { once } from 'node:events'
import {
  Agent as HttpAgent,
  type ClientRequestArgs,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestPlain,
} from 'node:http'
import { Agent, request as requestSecure } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { PipelineRequest } from '@azure/core-rest-pipeline'
import { hostnameOf, isAddress, portOf } from '../base/address.ts'
import { errorCode } from '../base/files.ts'
import { withoutUndefined } from '../base/json.ts'
import type { Evidence, NetworkFault } from '../errors.ts'
import type { Attempt } from './attempt.ts'
import { trustOptions } from './certificate-authorities.ts'
import { type RefusedPeer, reportCertificate } from './describe-certificate.ts'
import { isLookupPending, socketLookup } from './host-lookup.ts'
import { certificateFaults, networkFaultOf, ProxyError } from './network-error.ts'
import { wordsOf } from './words-of-response.ts'

/** Milliseconds to connect to an address before Node tries the next. Over a satellite link a connection takes 400, and Node's default is 250. */
const addressTimeoutMs = 1500

/** Options of every connection of this service, so that the defaults of the process stay unchanged. */
export const connectionOptions = (attempt?: Attempt) => ({
  lookup: socketLookup,
  // Even a short deadline must leave time for a second address.
  autoSelectFamilyAttemptTimeout: Math.min(addressTimeoutMs, (attempt?.timeoutMs ?? Infinity) / 2),
  // NODE_TLS_REJECT_UNAUTHORIZED=0 may have been set after the start, but certificates are always checked.
  rejectUnauthorized: true,
  ...trustOptions(),
})

type Signal = PipelineRequest['abortSignal']
type Parameter = Parameters<Agent['createConnection']>
type Callback = NonNullable<Parameter[1]>
type Watched = { readonly onPeer?: (peer: RefusedPeer) => void; readonly isBackground?: boolean }
type Options = Parameter[0] & Watched & { readonly socket?: Socket }

/** Reports the certificate of each new connection to the `onPeer` of the request that made it. */
export class WatchingAgent extends Agent {
  override createConnection(options: Options, callback?: Callback): Duplex | null | undefined {
    return prepare(super.createConnection(options, callback), options)
  }
}

export class PlainAgent extends HttpAgent {
  override createConnection(options: ClientRequestArgs & Watched, callback?: Callback): Duplex | null | undefined {
    return prepare(super.createConnection(options, callback), options)
  }
}

function prepare<S extends Duplex | null | undefined>(socket: S, { onPeer, isBackground = false }: Watched): S {
  if (socket instanceof TLSSocket && onPeer !== undefined) reportCertificate(socket, onPeer)
  // A background request must not keep the process alive.
  if (socket instanceof Socket && isBackground) socket.unref()
  return socket
}

/**
 * Connects one https request through a proxy. The library's own agent has three faults: it throws an uncaught error if a proxy with TLS closes
 * the connection, never gives up on a silent proxy, and reports failures of the proxy as failures of the host.
 */
export class Tunnel extends WatchingAgent {
  /** Set if the proxy made no connection. */
  failure: ProxyError | undefined
  readonly #open: () => Promise<Socket>

  constructor(proxy: URL, target: URL, signal: Signal) {
    super()
    this.#open = () => openTunnel(proxy, target, signal, (failure) => (this.failure ??= failure))
  }

  override createConnection(options: Parameter[0], callback: Callback = () => {}): undefined {
    void this.#connect(options, callback)
  }

  async #connect(options: Options, callback: Callback): Promise<void> {
    try {
      callback(null, super.createConnection({ ...options, socket: await this.#open() }) as Duplex)
    } catch (error) {
      callback(error as Error, undefined as never)
    }
  }
}

/**
 * Requests a connection to the host of a URL from a proxy. The caller must destroy the socket. `onFailure` gets the error that is thrown: after
 * an abort, before the socket is destroyed. @throws {ProxyError}
 */
export async function openTunnel(
  proxy: URL,
  target: URL,
  signal: Signal,
  onFailure: (failure: ProxyError) => unknown = () => {},
): Promise<Socket> {
  const path = `${target.hostname}:${portOf(target)}`
  const isSecure = proxy.protocol === 'https:'
  const request = (isSecure ? requestSecure : requestPlain)({
    ...proxyAddress(proxy),
    method: 'CONNECT',
    path,
    headers: { host: path, ...proxyAuthorization(proxy) },
    agent: false,
  })
  let socket: Socket | undefined
  let isConnected = false
  request.once('socket', (used) => used.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true)))
  const abort = () => {
    onFailure(toTimeout(proxy, isConnected))
    request.destroy()
    socket?.destroy(new Error('The attempt ended'))
  }
  signal?.addEventListener('abort', abort)
  try {
    const connected = once(request, 'connect') as Promise<[IncomingMessage, Socket, Buffer]>
    request.end()
    const [{ statusCode: first = 0, headers }, opened, head] = await connected
    socket = opened
    const [statusCode, early] = first < 200 ? await readFinalStatus(opened, head) : [first, head]
    // The host, such as a mail server, may send data first.
    if (early.length > 0) opened.unshift(early)
    if (statusCode >= 200 && statusCode < 300) return opened
    const body = await firstBytes(opened)
    opened.destroy()
    throw toRefusal(proxy, statusCode, headers, body)
  } catch (error) {
    socket?.destroy()
    const failure = signal?.aborted === true ? toTimeout(proxy, isConnected) : toProxyError(error, proxy)
    onFailure(failure)
    throw failure
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

/** Milliseconds to wait for the text of a refusal. */
const refusalTextMs = 300

/** The beginning of the body of a refusal, which most proxies send together with its headers. */
async function firstBytes(socket: Socket): Promise<string> {
  const first = socket.read() as Buffer | null
  const signal = AbortSignal.timeout(refusalTextMs)
  const next = first ?? (await once(socket, 'readable', { signal }).then(() => socket.read() as Buffer | null, () => null)) // prettier-ignore
  return next?.toString() ?? ''
}

/** Characters of all responses to one CONNECT. */
const maxHeaderLength = 16_384

/** Reads the final response to CONNECT after an informational one (RFC 9110, section 15.2), and the first bytes of the host. @throws {ProxyError} */
async function readFinalStatus(socket: Socket, head: Buffer): Promise<[status: number, early: Buffer]> {
  let text = ''
  let length = 0
  socket.unshift(head)
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    text += chunk.toString('latin1')
    length += chunk.length
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      const [, status] = /^HTTP\/1\.[01] ([1-5]\d\d)[ \r]/.exec(text) ?? []
      if (status === undefined) throw invalidResponse()
      text = text.slice(end + 4)
      if (!status.startsWith('1')) return [Number(status), Buffer.from(text, 'latin1')]
    }
    if (length > maxHeaderLength) break
  }
  throw invalidResponse()
}

const invalidResponse = () => new ProxyError('sent an invalid response to CONNECT')

/** Options of a connection to a proxy. The certificate must name the proxy, and not the host behind it. */
export function proxyAddress(proxy: URL) {
  const hostname = hostnameOf(proxy)
  const servername = isAddress(proxy) ? '' : hostname
  return { hostname, port: portOf(proxy), servername, ...connectionOptions() }
}

/** The header with the user name and password in a proxy's URL. */
export function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {}
  const user = decodeURIComponent(`${username}:${password}`)
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }
}

/** Makes the error for a response of the proxy itself. @param proxy `undefined` if no variable names it. @param body The beginning, to quote. */
export function toRefusal(proxy: URL | undefined, status: number, headers: IncomingHttpHeaders, body = ''): ProxyError {
  // The proxy may repeat its credentials, as they are or encoded.
  const { 'proxy-authorization': basic } = proxy === undefined ? {} : proxyAuthorization(proxy)
  const secrets = basic === undefined ? undefined : [basic.slice(6), decodeURIComponent(proxy?.password ?? '')]
  const page = withoutUndefined(wordsOf(body, headers['content-type'], secrets))
  const evidence = { status: String(status), ...(proxy && { proxy: proxy.host }), ...page }
  const said = page.words ?? page.title
  const reason = said === undefined ? String(status) : `${status}: "${said}"`
  if (status === 407) {
    const ofAccount = proxy === undefined ? {} : accountEvidence(proxy, headers['proxy-authenticate'])
    return new ProxyError('requires credentials (407)', { evidence: { ...evidence, ...ofAccount } })
  }
  // Squid names the reason. A proxy that can't resolve the name needs another fix than one that refuses the host.
  if (String(headers['x-squid-error']).startsWith('ERR_DNS_FAIL')) {
    const message = `could not resolve the name of the host (${status}, ERR_DNS_FAIL)`
    return new ProxyError(message, { evidence: { ...evidence, problem: 'name not resolved' } })
  }
  const isRefusal = status < 500
  return new ProxyError(`${isRefusal ? 'refused the connection' : 'made no connection to the host'} (${reason})`, {
    evidence: isRefusal ? evidence : { ...evidence, problem: 'no connection' },
  })
}

/** The problem of the account at the proxy. The service supports only Basic authentication. */
function accountEvidence({ username, password }: URL, authenticate = ''): Evidence {
  const schemes = [...authenticate.matchAll(/(?:^|,\s*)([a-z][a-z0-9-]{1,20})(?=\s|,|$)/gi)].map(
    ([, name = '']) => name,
  )
  if (schemes.length > 0 && !schemes.some((name) => name.toLowerCase() === 'basic')) {
    return { authentication: [...new Set(schemes)].slice(0, 4).join('/') }
  }
  return { problem: username === '' && password === '' ? 'account missing' : 'account refused' }
}

function toTimeout(proxy: URL, isConnected: boolean): ProxyError {
  const silent = isLookupPending(hostnameOf(proxy)) ? 'lookup failed' : 'silent'
  const message = isConnected ? 'accepted the request, but made no connection in time' : 'did not respond in time'
  return new ProxyError(message, { evidence: { proxy: proxy.host, problem: isConnected ? 'no connection' : silent } })
}

export function toProxyError(error: unknown, proxy: URL): ProxyError {
  if (error instanceof ProxyError) return error
  return new ProxyError(`made no connection (${errorCode(error) ?? 'no proxy responded'})`, {
    cause: error,
    evidence: connectionEvidence(error, proxy),
  })
}

/** OpenSSL's errors for a response without TLS. */
const withoutTls = /wrong version number|packet length too long|http request|unsupported protocol/i

function connectionEvidence(error: unknown, proxy: URL): Evidence {
  const fault = networkFaultOf(error, hostnameOf(proxy)) ?? 'RESPONSE_INVALID'
  const isPlain = fault === 'TLS_FAILED' && withoutTls.test(String(error))
  const problem = isPlain ? 'plain' : certificateFaults.has(fault) ? 'untrusted' : problems[fault]
  return problem === undefined ? {} : { proxy: proxy.host, problem }
}

const problems: Readonly<Partial<Record<NetworkFault, string>>> = {
  DNS_FAILED: 'unknown name',
  DNS_UNAVAILABLE: 'lookup failed',
  REFUSED: 'silent',
  UNREACHABLE: 'silent',
  TIMEOUT: 'silent',
}
