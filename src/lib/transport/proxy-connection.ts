import { on, once } from 'node:events'
import {
  Agent as HttpAgent,
  type ClientRequestArgs,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestPlain,
} from 'node:http'
import { Agent, request as requestSecure } from 'node:https'
import { type LookupFunction, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { PipelineRequest } from '@azure/core-rest-pipeline'
import { hostnameOf, isAddress, portOf } from '../base/address.ts'
import { errorCode } from '../base/files.ts'
import type { Evidence, NetworkRole } from '../errors.ts'
import type { Attempt } from './attempt.ts'
import { trustOptions } from './certificate-authorities.ts'
import { type RefusedPeer, watchCertificate } from './describe-certificate.ts'
import { lookupOf, unansweredLookup } from './host-lookup.ts'
import { networkFaultOf, ProxyError } from './network-error.ts'

/**
 * Milliseconds for one address of a name that has several. Node's 250 are too few for a satellite link, where a connection takes 400: if the
 * addresses of the other family are silent, no connection would succeed.
 */
const addressTimeoutMs = 1500

interface ConnectionOptions {
  readonly lookup: LookupFunction
  readonly autoSelectFamilyAttemptTimeout: number
}

/** How every socket of this service connects, by the kind of host. No default of the process changes. */
export function connectionOptions(role: NetworkRole, attempt?: Attempt): ConnectionOptions {
  return {
    lookup: lookupOf(attempt !== undefined || isForToken(role)),
    // A short deadline leaves time for a second address.
    autoSelectFamilyAttemptTimeout: Math.min(addressTimeoutMs, (attempt?.timeoutMs ?? Infinity) / 2),
  }
}

/** Whether the lookups of a kind of host may delay a token. */
export function isForToken(role: NetworkRole): boolean {
  return role === 'AUTHORITY' || role === 'IDENTITY_ENDPOINT'
}

type Signal = PipelineRequest['abortSignal']
type Parameter = Parameters<Agent['createConnection']>
type Callback = NonNullable<Parameter[1]>
type Options = Parameter[0] & { readonly socket?: Socket; readonly onPeer?: (peer: RefusedPeer) => void }

/** Reports the certificate of each new connection to the `onPeer` of the request that made it. */
export class WatchingAgent extends Agent {
  override createConnection(options: Options, callback?: Callback): Duplex | null | undefined {
    const socket = super.createConnection(options, callback)
    if (socket instanceof TLSSocket && options.onPeer !== undefined) watchCertificate(socket, options.onPeer)
    return release(socket, options)
  }
}

/** An agent for requests without TLS. */
export class PlainAgent extends HttpAgent {
  override createConnection(options: ClientRequestArgs, callback?: Callback): Duplex | null | undefined {
    return release(super.createConnection(options, callback), options)
  }
}

/** If nobody waits for a request, its connection must not keep the process alive. */
function release(socket: Duplex | null | undefined, options: object): Duplex | null | undefined {
  if ('isBackground' in options && options.isBackground === true && socket instanceof Socket) socket.unref()
  return socket
}

/**
 * Connects one https request through a proxy. The library's own agent throws past every handler when a proxy with TLS hangs up, keeps the
 * connection to a proxy that never responds, and reports failures of the proxy as failures of the host.
 */
export class Tunnel extends WatchingAgent {
  /** Set when the proxy made no connection. */
  failure: ProxyError | undefined
  readonly #proxy: URL
  readonly #target: URL
  readonly #signal: Signal

  constructor(proxy: URL, target: URL, signal: Signal) {
    super()
    this.#proxy = proxy
    this.#target = target
    this.#signal = signal
  }

  override createConnection(options: Parameter[0], callback: Callback = () => {}): undefined {
    void this.#connect(options, callback)
  }

  async #connect(options: Options, callback: Callback): Promise<void> {
    try {
      const onFailure = (failure: ProxyError) => (this.failure ??= failure)
      const socket = await openTunnel(this.#proxy, this.#target, this.#signal, onFailure)
      callback(null, super.createConnection({ ...options, socket }) as Duplex)
    } catch (error) {
      callback(error as Error, undefined as never)
    }
  }
}

/**
 * Requests a connection to the host of a URL from a proxy. The caller destroys it.
 *
 * @param onFailure Called with the error that is thrown; at an abort, at once.
 * @throws {ProxyError}
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
    // A host that speaks first, such as a mail server.
    if (early.length > 0) opened.unshift(early)
    if (statusCode >= 200 && statusCode < 300) return opened
    opened.destroy()
    throw toRefusal(proxy, statusCode, headers)
  } catch (error) {
    socket?.destroy()
    const failure = signal?.aborted === true ? toTimeout(proxy, isConnected) : toProxyError(error, proxy)
    onFailure(failure)
    throw failure
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

/** Characters of the responses to CONNECT. */
const maxHeaderLength = 16_384

/**
 * Reads on to the final response: Node mistakes an informational response (1xx) for the response to CONNECT (RFC 9110, section 15.2).
 *
 * @returns Its status, and the bytes of the host that follow it.
 * @throws {ProxyError} for anything but HTTP responses.
 */
async function readFinalStatus(socket: Socket, head: Buffer): Promise<[status: number, early: Buffer]> {
  let text = ''
  let length = 0
  for await (const chunk of readChunks(socket, head)) {
    text += chunk
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

async function* readChunks(socket: Socket, head: Buffer): AsyncGenerator<string> {
  yield head.toString('latin1')
  for await (const _ of on(socket, 'readable', { close: ['end', 'close'] })) {
    yield (socket.read() as Buffer | null)?.toString('latin1') ?? ''
  }
}

const invalidResponse = () => new ProxyError('sent an invalid response to CONNECT')

/** The options by which Node connects to a proxy. The certificate must name the proxy, not the host behind it. */
export function proxyAddress(proxy: URL) {
  const hostname = hostnameOf(proxy)
  const servername = isAddress(proxy) ? '' : hostname
  // Token requests use this agent too, and their lookup never waits for other lookups.
  return {
    hostname,
    port: portOf(proxy),
    servername,
    rejectUnauthorized: true,
    ...trustOptions(),
    ...connectionOptions('AUTHORITY'),
  }
}

/** The header with the user name and password of a proxy's URL, if it has any. */
export function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {}
  const user = decodeURIComponent(`${username}:${password}`)
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }
}

/**
 * A status of the proxy in place of a connection, or of a response of the host.
 *
 * @param proxy Absent for a proxy that no variable names.
 */
export function toRefusal(proxy: URL | undefined, status: number, headers: IncomingHttpHeaders): ProxyError {
  if (status === 407) {
    const authenticate = [headers['proxy-authenticate'] ?? ''].flat().join(', ')
    const evidence = proxy === undefined ? {} : accountEvidence(proxy, authenticate)
    return new ProxyError('requires credentials (407)', { evidence })
  }
  const proxyError = /^ERR_[A-Z_]{1,40}/.exec([headers['x-squid-error'] ?? ''].flat().join())?.[0]
  const evidence = { proxyStatus: String(status), ...(proxyError === undefined ? {} : { proxyError }) }
  const reason = proxyError === undefined ? String(status) : `${status}, ${proxyError}`
  const failure = proxyFailures[proxyError ?? ''] ?? 'refused the connection'
  return new ProxyError(`${failure} (${reason})`, { evidence })
}

/** The errors of Squid other than refusals. */
const proxyFailures: Readonly<Record<string, string>> = {
  ERR_DNS_FAIL: 'could not resolve the name of the host',
  ERR_CONNECT_FAIL: 'could not connect to the host',
  ERR_READ_TIMEOUT: 'got no response from the host',
}

/** The service offers only Basic. */
function accountEvidence({ username, password }: URL, authenticate: string): Evidence {
  const schemes = [...authenticate.matchAll(/(?:^|,\s*)([a-z][a-z0-9-]{1,20})(?=\s|,|$)/gi)].map(
    ([, name = '']) => name,
  )
  if (schemes.length > 0 && !schemes.some((name) => name.toLowerCase() === 'basic')) {
    return { unsupportedAuthentication: [...new Set(schemes)].slice(0, 4).join('/') }
  }
  return username === '' && password === '' ? { accountMissing: 'Basic' } : { accountRefused: 'Basic' }
}

function toTimeout(proxy: URL, isConnected: boolean): ProxyError {
  if (isConnected) {
    const evidence = { waitingProxy: proxy.host }
    return new ProxyError('accepted the request, but made no connection in time', { evidence })
  }
  const name = hostnameOf(proxy)
  const evidence = unansweredLookup(name) === undefined ? { silentProxy: proxy.host } : { unresolvedProxy: name }
  return new ProxyError('did not respond in time', { evidence })
}

export function toProxyError(error: unknown, proxy: URL): ProxyError {
  if (error instanceof ProxyError) return error
  return new ProxyError(`made no connection (${errorCode(error) ?? 'no proxy responded'})`, {
    cause: error,
    evidence: connectionEvidence(error, proxy),
  })
}

/** OpenSSL's reasons for a response without TLS. */
const withoutTls = /wrong version number|packet length too long|http request|unsupported protocol/i

function connectionEvidence(error: unknown, proxy: URL): Evidence {
  const name = hostnameOf(proxy)
  const fault = networkFaultOf(error, name)
  switch (fault) {
    case 'DNS_FAILED':
      return { unknownProxy: name }
    case 'DNS_UNAVAILABLE':
      return { unresolvedProxy: name }
    case 'REFUSED':
    case 'UNREACHABLE':
    case 'TIMEOUT':
      return { silentProxy: proxy.host }
    case 'TLS_FAILED':
      return withoutTls.test(String(error)) ? { plainProxy: proxy.host } : {}
    default:
      return fault === 'UNTRUSTED' || fault?.startsWith('CERTIFICATE_') === true ? { distrustedProxy: proxy.host } : {}
  }
}
