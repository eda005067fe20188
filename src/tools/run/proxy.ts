import { once } from 'node:events'
import {
  createServer,
  request as requestPlain,
  STATUS_CODES,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import { request as requestSecure } from 'node:https'
import { BlockList, connect, isIP, type AddressInfo, type Socket } from 'node:net'
import { pipeline, type Duplex } from 'node:stream'
import { hostnameOf, portOf, withBrackets } from '../../lib/base/address.ts'
import { readProxies, type Env } from '../../lib/base/env.ts'
import { ServiceError } from '../../lib/errors.ts'
import { proxyFor } from '../../lib/transport/egress.ts'
import { openTunnel, proxyAddress, proxyAuthorization } from '../../lib/transport/proxy-connection.ts'
import { type DiscoveryResponder, type Refusal, type Target, targetOf } from './discovery.ts'

/** How the proxy handles a request of the program. */
export type Decision =
  | { readonly kind: 'pass'; readonly to?: Target & { readonly accept?: (socket: Socket) => void } }
  /** The responder replies in place of a login host of another cloud. */
  | { readonly kind: 'respond' }
  /** With `response`, it is sent as a response of the host, because few programs show the response of a proxy. */
  | { readonly kind: 'refuse'; readonly reason: string; readonly response?: Refusal | undefined }

export interface ProxyOptions {
  /** Called once for each connection, or for each request without TLS. */
  readonly decide: (target: Target, isSecure: boolean) => Decision
  /** Called if no connection to the target can be opened. */
  readonly onFailure: (target: Target) => void
  readonly responder: DiscoveryResponder
  readonly upstream: Upstream
}

/** Starts a proxy on loopback for CONNECT and for requests without TLS. */
export async function startProxy({ decide, onFailure, responder, upstream }: ProxyOptions) {
  const sockets = new Set<Duplex>()
  const server = createServer((request, response) => {
    const refuse = (status: number, reason: string) => respond(response, status, reason)
    const url = URL.parse(request.url ?? '')
    if (url?.protocol !== 'http:') return refuse(400, 'this is a proxy')
    if (!isHost(url)) return refuse(400, `${JSON.stringify(url.hostname)} isn't a host name`)
    // The response to TRACE would show the program the password of the operator's proxy.
    if (request.method === 'TRACE') return refuse(405, 'TRACE is refused')
    const target = targetOf(url)
    const decision = decide(target, false)
    if (decision.kind === 'respond') return responder.respond(request, response, target)
    if (decision.kind === 'refuse') return refuse(403, decision.reason)
    return upstream.forward(request, response, url, () => onFailure(target))
  })
  // Without Node's limit of 5 minutes, because an upload may take longer.
  server.requestTimeout = 0
  server.on('connection', (socket) => track(socket, sockets))
  server.on('connect', ({ url: authority = '' }: IncomingMessage, client: Socket, head: Buffer) => {
    const url = /^[^/?#@\s]+:\d+$/.test(authority) ? URL.parse(`https://${authority}/`) : null
    if (url === null || !isHost(url)) return end(client, 400, 'CONNECT needs HOST:PORT with the name of a host')
    if (head.length > 0) client.unshift(head)
    const target = targetOf(url)
    const decision = decide(target, true)
    if (decision.kind === 'pass') {
      // A server of this process serves the connection itself, unless bytes have been read already.
      if (decision.to?.accept === undefined || head.length > 0) return void join(client, target, decision.to)
      client.write(established)
      return decision.to.accept(client)
    }
    const refusal = decision.kind === 'refuse' ? decision : undefined
    if (refusal !== undefined && refusal.response === undefined) return end(client, 403, refusal.reason)
    client.write(established)
    return void responder.accept(client, target, refusal?.response)
  })

  async function join(client: Socket, target: Target, to = target): Promise<void> {
    const abort = new AbortController()
    client.once('close', () => abort.abort())
    try {
      const remote = await upstream.connect(to, abort.signal)
      track(remote, sockets)
      // After the remote has closed, the program still gets the buffered bytes.
      remote.once('close', () => client.destroySoon())
      client.once('close', () => remote.destroy())
      client.write(established)
      client.pipe(remote).pipe(client)
    } catch (error) {
      onFailure(target)
      end(client, 502, noConnection(target, error))
    }
  }

  const listen = (host: string) => once(server.listen({ port: 0, host }), 'listening')
  await listen('127.0.0.1').catch(() => listen('::1'))
  const { address, port } = server.address() as AddressInfo
  return {
    url: new URL(`http://${withBrackets(address)}:${port}/`),
    close() {
      server.close()
      responder.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const established = 'HTTP/1.1 200 Connection established\r\n\r\n'
const plainText = 'text/plain; charset=utf-8'

const noConnection = ({ host, port }: Target, error: unknown) =>
  `no connection to ${host}:${port} (${error instanceof Error ? error.message : 'unknown error'})`

function respond(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { 'content-type': plainText }).end(`cloud-profile: ${reason}\n`)
}

/** Refuses CONNECT, for which Node has no response object. */
function end(client: Socket, status: number, reason: string): void {
  const body = `cloud-profile: ${reason}\n`
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${plainText}\r\ncontent-length: ${Buffer.byteLength(body)}`
  client.end(`${head}\r\nconnection: close\r\n\r\n${body}`)
}

function track(socket: Duplex, sockets: Set<Duplex>): void {
  sockets.add(socket)
  socket.on('error', () => socket.destroy())
  socket.once('close', () => sockets.delete(socket))
}

/** A DNS name, also with underscores or a final dot. A suffix such as `.blob.core.windows.net` isn't a name. */
const hostPattern = /^(?=.{1,254}$)(?:(?!-)[a-z\d_-]{1,63}(?<!-)(?:\.|$))+$/

const isHost = (url: URL): boolean =>
  url.port !== '0' && (isIP(hostnameOf(url)) !== 0 || hostPattern.test(url.hostname))

/** The path from this machine to a host: through the proxy of the operator, or direct. */
export interface Upstream {
  connect(target: Target, signal: AbortSignal): Promise<Socket>
  /** Forwards a request without TLS, and its response. */
  forward(request: IncomingMessage, response: ServerResponse, url: URL, onFailure: () => void): void
}

/** Loopback, and the link-local endpoints of a managed identity. A proxy would reach the endpoints of its machine, and read the token. */
const localAddresses = new BlockList()
localAddresses.addSubnet('127.0.0.0', 8)
localAddresses.addSubnet('169.254.0.0', 16)
localAddresses.addSubnet('fe80::', 10, 'ipv6')
localAddresses.addAddress('168.63.129.16')

function isLocal(host: string): boolean {
  const family = isIP(host)
  return family !== 0 && localAddresses.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

/** @throws {ServiceError} `SETTING_INVALID` for a proxy variable without a proxy URL, because no request may bypass the proxy. */
export function createUpstream(env: Env): Upstream {
  const proxies = readProxies(env)
  // HTTP_PROXY wins for requests without TLS.
  const plain = { ...proxies, ...((proxies['HTTP_PROXY'] ?? proxies['http_proxy']) ? withoutSecure : {}) }
  const proxyOf = (url: URL): URL | undefined => {
    const { proxy, ignoredEntry } = proxyFor(url, url.protocol === 'http:' ? plain : proxies)
    // Programs exempt such a host, although the credential library doesn't.
    if (proxy === undefined || ignoredEntry !== undefined || isLocal(hostnameOf(url))) return undefined
    if (proxy.url !== undefined) return proxy.url
    throw new ServiceError('SETTING_INVALID', `${proxy.variable} must be an http or https proxy URL`)
  }
  for (const scheme of ['http', 'https']) proxyOf(new URL(`${scheme}://proxy-check.invalid/`))
  return {
    async connect({ host, port }, signal) {
      const url = new URL(`https://${withBrackets(host)}:${port}/`)
      const proxy = proxyOf(url)
      if (proxy !== undefined) return openTunnel(proxy, url, signal)
      const socket = connect({ host, port, allowHalfOpen: true, signal })
      await once(socket, 'connect')
      return socket
    },
    forward(request, response, { host, hostname, port, pathname, search }, onFailure) {
      const path = `${pathname}${search}`
      const url = new URL(`http://${host}${path}`)
      const proxy = proxyOf(url)
      const route =
        proxy === undefined ? { hostname: hostnameOf(url), port, path } : { ...proxyAddress(proxy), path: url.href }
      const headers = { ...endToEnd(request), host, ...(proxy && proxyAuthorization(proxy)) }
      const send = proxy?.protocol === 'https:' ? requestSecure : requestPlain
      const fail = (error: unknown) => {
        onFailure()
        if (response.headersSent) response.destroy()
        else respond(response, 502, noConnection({ host: hostname, port: portOf(url) }, error))
      }
      const sent = send({ ...route, method: request.method, headers, agent: false })
      sent.on('error', fail)
      // No forwarded request has the header `Upgrade`.
      sent.on('upgrade', (_response, socket) => {
        socket.destroy()
        fail(new Error('invalid response, status 101'))
      })
      sent.once('response', (received) => {
        sent.off('error', fail).on('error', () => {})
        const { statusCode = 0 } = received
        const coding = received.headers['transfer-encoding'] ?? 'chunked'
        // With 407 the proxy asks for the operator's credentials. The program must not send its own.
        const isValid = statusCode >= 200 && statusCode !== 407 && coding.toLowerCase() === 'chunked'
        if (!isValid) {
          sent.destroy()
          return fail(new Error(`invalid response, status ${statusCode}`))
        }
        response.writeHead(statusCode, endToEnd(received))
        // If the remote response is cut off, the response to the program is cut off too.
        pipeline(received, response, () => {})
      })
      response.on('close', () => sent.destroy())
      request.pipe(sent)
    },
  }
}

/** Headers of a single connection (RFC 9110, section 7.6.1), and `expect`, which Node has handled. */
const hopByHop =
  'connection expect keep-alive proxy-authenticate proxy-authentication-info proxy-authorization proxy-connection te trailer upgrade'

/** Headers that frame a message or name its host. The header `Connection` can't remove them. */
const framing: ReadonlySet<string> = new Set(['content-length', 'host', 'transfer-encoding'])

/** The headers to forward. Node frames a response again. A request keeps its framing, because Node has no default for some methods. */
function endToEnd({ headers, statusCode }: IncomingMessage): OutgoingHttpHeaders {
  const named = (headers.connection ?? '').toLowerCase().split(/[\s,]+/)
  const dropped = new Set([...hopByHop.split(' '), ...named.filter((name) => !framing.has(name))])
  if (statusCode !== null && statusCode !== undefined) dropped.add('transfer-encoding')
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)))
}

const withoutSecure = { HTTPS_PROXY: undefined, https_proxy: undefined, ALL_PROXY: undefined, all_proxy: undefined }
