import { createServer as createHttp } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { SecureContextOptions } from 'node:tls'

import type { AppResponse } from '../lib/base/app.ts'
import { builtinModule } from '../lib/base/certificates.ts'
import { errorCode } from '../lib/base/files.ts'
import type { KeyCheck } from './access-keys.ts'
import { unauthorized } from './key-page.ts'
import { limitConnections, tcpOf, type ConnectionLimits } from './connections.ts'
import type { Invocations } from './invocations.ts'
import type { WriteLog } from './log.ts'
import { parseTarget, readHeaders, readQuery, type RequestTarget } from './read-request.ts'
import { isAdminPath, withStatus, type Router } from './routes.ts'
import { messageOf } from './start-error.ts'

export interface HttpServerParts {
  readonly findFunction: Router
  readonly invocations: Invocations
  readonly hasKey: KeyCheck
  readonly isKnownHost: (host: string) => boolean
  readonly log: WriteLog
  /** Whether the server is stopping. Each connection is then closed after its response. */
  readonly isClosing: () => boolean
  /** Absent for http. */
  readonly tls?: SecureContextOptions | undefined
}

/** Limits for each client. Times are in milliseconds. */
const limits = {
  /** The limit of the Functions host. */
  maxHeaderSize: 32 * 1024,
  /** From the connection, or the previous response, to the last header. */
  headersTimeout: 10_000,
  /** From the last header to the end of the body. */
  requestTimeout: 20_000,
  /** Load balancers keep connections for a minute. With a longer time here, they close a connection first, and no request is lost. */
  keepAliveTimeout: 65_000,
  /** The interval at which Node checks the two timeouts. */
  connectionsCheckingInterval: 1000,
} as const

/** Milliseconds without a byte in either direction. Longer than an invocation may take. */
const idleTimeout = 240_000
/** The limit of the Functions host, in bytes. */
const maxRequestLine = 8192

/** Creates the HTTP server. Node itself responds to invalid (400), slow (408) and large (431) requests. No request can end the process. */
export function createHttpServer(parts: HttpServerParts, connectionLimits: ConnectionLimits) {
  const server: Server =
    parts.tls === undefined
      ? createHttp(limits)
      : builtinModule('node:https').createServer({ ...limits, ...parts.tls, handshakeTimeout: limits.headersTimeout })
  const answer = createAnswer(parts)
  const responses = limitConnections(server, connectionLimits, (request, response) => {
    const sending = answer(request, response).then((result) => {
      // At a stop, `forEachUnanswered` has already sent 503.
      if (response.headersSent) return
      if (parts.isClosing()) response.shouldKeepAlive = false
      send(response, result)
    })
    sending.catch((error: unknown) => {
      parts.log({ level: 'error', category: 'server', message: `A request failed: ${messageOf(error)}`, error })
      if (!response.headersSent) send(response, withStatus(500))
      else if (!response.writableEnded) response.destroy()
    })
  })
  // Node's limit on the number of headers drops headers silently. Ours responds with 431.
  server.maxHeadersCount = 0
  server.timeout = idleTimeout
  server.on('tlsClientError', (error, socket) => {
    if (errorCode(error) === 'ERR_SSL_HTTP_REQUEST') tcpOf(socket).end(plainHttpRefusal)
  })
  return { server, responses }
}

const useHttps = 'This port expects https: begin the address with https://.\n'
const plainHttpRefusal = [
  'HTTP/1.1 400 Bad Request',
  'content-type: text/plain; charset=utf-8',
  `content-length: ${useHttps.length}`,
  'connection: close',
  '',
  useHttps,
].join('\r\n')

function createAnswer({ findFunction, invocations, hasKey, isKnownHost, tls }: HttpServerParts) {
  const scheme = tls === undefined ? 'http' : 'https'
  let latest: { url: string; host: string; target: RequestTarget | undefined } | undefined
  return async (request: IncomingMessage, response: ServerResponse): Promise<AppResponse> => {
    // No function reads a body.
    request.resume()
    const headers = readHeaders(request.rawHeaders)
    const { method = 'GET', url = '' } = request
    if (headers === undefined) {
      response.shouldKeepAlive = false
      return withStatus(431)
    }
    if (`${method} ${url} HTTP/1.1\r\n`.length > maxRequestLine) return withStatus(414)
    const host = headers['host'] ?? ''
    // Probes request the same address repeatedly, and parsing takes a sixth of a request's time.
    if (latest?.url !== url || latest.host !== host) {
      latest = { url, host, target: isKnownHost(host) ? parseTarget(url, host) : undefined }
    }
    if (latest.target === undefined) return withStatus(400)
    const { path, routePath, search } = latest.target
    const found = findFunction(method, routePath)
    const needsKey = found === undefined ? isAdminPath(routePath) : found.authLevel !== 'anonymous'
    if (needsKey && !hasKey(headers, search)) return unauthorized(headers)
    if (found === undefined) return withStatus(404)
    const given = { method, url: `${scheme}://${host}${path}${search}`, headers, query: readQuery(search) }
    // The invocation has logged an error. The caller gets no details.
    return invocations.run(found.name, (invocation) => found.handle(given, invocation)).catch(() => withStatus(500))
  }
}

export function send(response: ServerResponse, { status, headers, body }: AppResponse): void {
  const all: Record<string, string> = { ...headers }
  const size = Buffer.byteLength(body ?? '')
  // 204 and 304 have neither body nor length.
  if (status !== 204 && status !== 304) all['content-length'] = String(size)
  response.writeHead(status, all)
  // A text with as many bytes as characters is ASCII. As Latin-1, Node writes it together with the headers and without encoding it.
  if (typeof body === 'string' && size === body.length) response.end(body, 'latin1')
  else response.end(body)
}
