import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type Server,
  request as requestPlain,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, type ListenOptions, type Socket, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { withBrackets, withoutBrackets } from '../../lib/base/address.ts'
import type { DiscoveryResponder, Target } from './discovery.ts'
import { request as requestSecure } from 'node:https'
import { type Env, readProxies } from '../../lib/base/env.ts'
import { ServiceError } from '../../lib/errors.ts'
import { proxyFor } from '../../lib/transport/egress.ts'
import { openTunnel, proxyAddress, proxyAuthorization } from '../../lib/transport/proxy-connection.ts'

/** What happens to a request of the child. */
export type Decision =
  | { readonly kind: 'pass'; readonly to?: Target }
  /** Answered in place of a public login host. */
  | { readonly kind: 'answer' }
  /** The reason is for the person who runs the program. With `explains`, it comes as the response of the host, because few programs show that of a proxy. */
  | { readonly kind: 'refuse'; readonly reason: string; readonly explains?: boolean }

export interface ProxyOptions {
  /** Decides about each connection, and counts it. */
  readonly decide: (target: Target) => Decision
  readonly responder: DiscoveryResponder
  readonly upstream: Upstream
  /** A socket in the file system in place of a port on loopback. */
  readonly socketPath?: string | undefined
}

export interface LoopbackProxy {
  /** `http://127.0.0.1:PORT`; absent for a socket in the file system. */
  readonly url: URL | undefined
  close(): void
}

/** Starts a proxy on loopback for CONNECT and for requests without TLS. */
export async function startProxy({ decide, responder, upstream, socketPath }: ProxyOptions): Promise<LoopbackProxy> {
  const sockets = new Set<Duplex>()
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '')
    if (url?.protocol !== 'http:' || url.hostname === '') {
      response.writeHead(400).end('cloud-profile: this is a proxy\n')
      return
    }
    const target = { host: hostOf(url.hostname), port: url.port === '' ? 80 : Number(url.port) }
    const decision = decide(target)
    if (decision.kind === 'answer') responder.respond(request, response, target)
    else if (decision.kind === 'refuse') response.writeHead(403, plainText).end(`cloud-profile: ${decision.reason}\n`)
    else if (decision.to !== undefined)
      response.writeHead(403, plainText).end('cloud-profile: the enclave speaks https\n')
    else upstream.forward(request, response, url)
  })
  // An upload may take longer than the 5 minutes of Node.
  server.requestTimeout = 0
  server.on('connection', (socket) => track(socket, sockets))
  server.on('connect', ({ url }: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy())
    const target = parseTarget(url ?? '')
    if (target === undefined) return answer(client, 400, 'CONNECT needs HOST:PORT')
    if (head.length > 0) client.unshift(head)
    const decision = decide(target)
    const reason = decision.kind === 'refuse' ? decision.reason : undefined
    if (reason !== undefined && decision.kind === 'refuse' && decision.explains !== true)
      return answer(client, 403, reason)
    if (decision.kind !== 'pass') {
      client.write(established)
      return void responder.accept(client, target, reason)
    }
    void joinTo(client, decision.to ?? target)
  })

  async function joinTo(client: Socket, target: Target): Promise<void> {
    const abort = new AbortController()
    client.once('close', () => abort.abort())
    try {
      const remote = await upstream.connect(target, abort.signal)
      track(remote, sockets)
      remote.on('error', () => client.destroy())
      // What is still to be written to the child must arrive.
      remote.once('close', () => client.destroySoon())
      client.once('close', () => remote.destroy())
      client.write(established)
      client.pipe(remote).pipe(client)
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown error'
      answer(client, 502, `no connection to ${target.host}:${target.port} (${reason})`)
    }
  }

  await (socketPath === undefined ? listenOnLoopback(server) : listen(server, { path: socketPath }))
  return {
    url: urlOf(server.address()),
    close() {
      server.close()
      responder.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const established = 'HTTP/1.1 200 Connection established\r\n\r\n'
const plainText = { 'content-type': 'text/plain; charset=utf-8' }

function answer(client: Socket, status: number, reason: string): void {
  const body = `cloud-profile: ${reason}\n`
  const phrase = { 400: 'Bad Request', 403: 'Forbidden', 502: 'Bad Gateway' }[status] ?? 'Error'
  client.end(
    `HTTP/1.1 ${status} ${phrase}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

function track(socket: Duplex, sockets: Set<Duplex>): void {
  sockets.add(socket)
  socket.on('error', () => socket.destroy())
  socket.once('close', () => sockets.delete(socket))
}

/** `host:port` of a CONNECT request. */
function parseTarget(authority: string): Target | undefined {
  const [, host, port = ''] = /^(\[[\da-f:.]+\]|[^\s:/@]+):(\d{1,5})$/i.exec(authority) ?? []
  const url = host === undefined ? null : URL.parse(`https://${host}/`)
  if (url === null || Number(port) < 1 || Number(port) > 65_535) return undefined
  return { host: hostOf(url.hostname), port: Number(port) }
}

/** Without brackets and without the dot that ends a full name. */
const hostOf = (hostname: string): string => withoutBrackets(hostname).replace(/\.$/, '')

function urlOf(address: AddressInfo | string | null): URL | undefined {
  if (address === null || typeof address === 'string') return undefined
  return new URL(`http://${withBrackets(address.address)}:${address.port}/`)
}

async function listenOnLoopback(server: Server): Promise<void> {
  try {
    await listen(server, { port: 0, host: '127.0.0.1' })
  } catch {
    await listen(server, { port: 0, host: '::1' })
  }
}

async function listen(server: Server, options: ListenOptions): Promise<void> {
  server.listen(options)
  await once(server, 'listening')
}

/** The way from this machine to a host: through the proxy of the operator, or direct. */
export interface Upstream {
  connect(target: Target, signal: AbortSignal): Promise<Socket>
  /** Sends a request without TLS on, and its response back. */
  forward(request: IncomingMessage, response: ServerResponse, url: URL): void
}

/** Headers that belong to one connection (RFC 9110, section 7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
])

/** @throws {ServiceError} `SETTING_INVALID` for a proxy variable without a proxy URL: nothing must bypass a proxy. */
export function createUpstream(env: Env): Upstream {
  const proxies = readProxies(env)
  // HTTP_PROXY wins for requests without TLS.
  const plain = { ...proxies, ...((proxies['HTTP_PROXY'] ?? proxies['http_proxy']) ? withoutSecure : {}) }
  const proxyOf = (url: URL): URL | undefined => {
    const { proxy, ignoredEntry } = proxyFor(url, url.protocol === 'http:' ? plain : proxies)
    // The child's own reading of NO_PROXY is wider than that of the credential library.
    if (proxy === undefined || ignoredEntry !== undefined) return undefined
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
    forward(request, response, url) {
      const proxy = proxyOf(url)
      const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !hopByHop.has(name)))
      const { method } = request
      const options =
        proxy === undefined
          ? { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port, path: `${url.pathname}${url.search}` }
          : { ...proxyAddress(proxy), path: url.href }
      const send = proxy?.protocol === 'https:' ? requestSecure : requestPlain
      const account = proxy === undefined ? {} : proxyAuthorization(proxy)
      const sent = send(
        { ...options, method, headers: { ...headers, host: url.host, ...account }, agent: false },
        (received) => {
          // The operator's proxy wants credentials of the operator: the child must not send its own.
          const { statusCode = 502, headers: returned } = received
          response.writeHead(statusCode === 407 ? 502 : statusCode, returned)
          received.pipe(response)
        },
      )
      sent.on('error', () => {
        if (response.headersSent) response.destroy()
        else response.writeHead(502).end(`cloud-profile: no connection to ${url.host}\n`)
      })
      response.on('close', () => sent.destroy())
      request.pipe(sent)
    },
  }
}

const withoutSecure = { HTTPS_PROXY: undefined, https_proxy: undefined, ALL_PROXY: undefined, all_proxy: undefined }
