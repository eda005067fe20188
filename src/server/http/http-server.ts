import { createServer as createHttp } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type * as https from 'node:https'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { SecureContextOptions } from 'node:tls'

import { errorCode } from '../../lib/base/error-code.ts'
import type { Call } from '../call.ts'
import type { Log } from '../log.ts'
import { messageOf } from '../start-error.ts'
import type { KeyCheck } from './access-keys.ts'
import { isAdminPath } from './admin.ts'
import type { AdminRequest } from './admin.ts'
import { sendAnswer, sendEmpty } from './http-response.ts'
import { readQuery } from './query.ts'
import { readBody } from './request-body.ts'
import { readHeaders } from './request-headers.ts'
import { parseTarget } from './request-target.ts'
import type { Router } from './router.ts'
import { createTurns } from './turns.ts'
import type { Turns } from './turns.ts'
import { unauthorized } from './unauthorized.ts'

export interface HttpServerParts {
  readonly findRoute: Router
  readonly call: Call
  readonly hasKey: KeyCheck
  readonly isKnownHost: (host: string) => boolean
  readonly handleAdmin: (request: AdminRequest) => Promise<void>
  readonly log: Log
  /** Whether the server is stopping: each connection is then closed after its answer. */
  readonly isClosing: () => boolean
  /** Serves https with these. */
  readonly tls?: SecureContextOptions | undefined
}

/** Limits of the resources that a peer can occupy, and for how long (milliseconds). */
const limits = {
  /** As the Functions host. */
  maxHeaderSize: 32 * 1024,
  /** From the connection, or the answer before, to the last header. */
  headersTimeout: 10_000,
  /** From there to the end of the body. */
  requestTimeout: 20_000,
  /** Longer than the minute for which load balancers keep connections, so that they are the ones to close. */
  keepAliveTimeout: 65_000,
  /** How often the first two are checked. */
  connectionsCheckingInterval: 1000,
} as const

/** Without a byte in either direction; longer than any answer may take. */
const idleTimeout = 240_000

/** Loaded where it is needed only: TLS takes 5 MB of memory. `process.getBuiltinModule` is absent before Node 22.3. */
const loadHttps = () => createRequire(process.execPath)('node:https') as typeof https

/**
 * The HTTP side of the server. Node's parser responds with 400, 408 and 431 to invalid, slow and large requests. No request can end the
 * process.
 */
export function createHttpServer(parts: HttpServerParts): Server {
  const turns = createTurns()
  const last = new WeakMap<Socket, ServerResponse>()
  const unexpected = new WeakSet<ServerResponse>()
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    if (unexpected.has(response)) {
      sendEmpty(response, 417)
      return
    }
    handle(parts, turns, request, response).catch((error: unknown) => {
      if (request.destroyed && !request.complete) return
      parts.log({ level: 'error', category: 'server', message: `A request failed: ${messageOf(error)}`, error })
      abandon(response)
    })
  }
  // A request that was sent ahead waits until the answers before it have been read: a connection holds one answer at most.
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    // Node goes on parsing what it has read.
    if (socket.destroyed) return
    const ahead = last.get(socket)
    last.set(socket, response)
    if (ahead === undefined || ahead.closed) begin(request, response)
    else ahead.once('close', () => begin(request, response))
  }
  const server: Server =
    parts.tls === undefined
      ? createHttp(limits, onRequest)
      : loadHttps().createServer({ ...limits, ...parts.tls, handshakeTimeout: limits.headersTimeout }, onRequest)
  // Bounded by maxHeaderSize. Node's own limit drops headers silently; ours answers 431.
  server.maxHeadersCount = 0
  server.timeout = idleTimeout
  server.on('connection', () => turns.accepted())
  // Node would answer these itself, past the limits of all other requests.
  server.on('checkExpectation', (request, response) => {
    unexpected.add(response)
    server.emit('request', request, response)
  })
  server.on('clientError', (error, socket) => {
    const answer = last.get(socket as Socket)
    refuse(error, socket as Socket, answer?.headersSent === true && !answer.closed)
  })
  return server
}

/** The answer to bytes that are not a request, by the code of Node's error. */
const refusals: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/**
 * Refuses an invalid request, as Node does. The error must not keep the bytes: in a flood, the 64 kB of each connection would wait for a
 * garbage collection.
 *
 * @param isAnswering Whether the peer has a part of an answer.
 */
function refuse(error: Error & { rawPacket?: unknown }, socket: Socket, isAnswering: boolean): void {
  error.rawPacket = undefined
  const status = refusals[errorCode(error) ?? ''] ?? '400 Bad Request'
  if (socket.writable && !isAnswering) socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
  socket.destroySoon()
}

async function handle(
  parts: HttpServerParts,
  turns: Turns,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (hasEnded(request, response)) return
  if (parts.isClosing()) response.shouldKeepAlive = false
  const headers = readHeaders(request.rawHeaders)
  if (headers === undefined) {
    response.shouldKeepAlive = false
    sendEmpty(response, 431)
    return
  }
  // The Functions host: at most 8,192 bytes of request line.
  if (`${request.method} ${request.url} HTTP/1.1\r\n`.length > 8192) {
    sendEmpty(response, 414)
    return
  }
  const host = headers['host'] ?? ''
  const target = parts.isKnownHost(host) ? parseTarget(request.url ?? '', host) : undefined
  if (target === undefined) {
    sendEmpty(response, 400)
    return
  }
  if (isAdminPath(target.routePath)) {
    await parts.handleAdmin({ request, response, target, headers })
    return
  }
  const method = request.method ?? 'GET'
  const match = parts.findRoute(method, target.routePath)
  if (match === undefined) {
    sendEmpty(response, 404)
    return
  }
  const { route, params } = match
  if (route.authLevel !== 'anonymous' && !parts.hasKey(headers, target.search)) {
    sendAnswer(response, unauthorized(headers))
    return
  }
  const turn = turns.next()
  if (turn !== undefined) {
    await turn
    if (hasEnded(request, response)) return
  }
  let body: Buffer | undefined
  if (method === 'GET' || method === 'HEAD' || headers['content-length'] === undefined) {
    // No handler reads the body of these methods, and a body without a length is dropped, as in the Functions host.
    request.resume()
  } else {
    body = await readBody(request)
    if (body === undefined) {
      request.resume()
      sendEmpty(response, 413)
      return
    }
  }

  const url = `${parts.tls === undefined ? 'http' : 'https'}://${host}${target.path}${target.search}`
  const query = readQuery(target.search)
  let answer
  try {
    answer = await parts.call(route.name, (context) =>
      route.handle({ method, url, headers, query, params, body }, context),
    )
  } catch {
    // Logged where it was thrown. The caller learns nothing of it.
    abandon(response)
    return
  }
  // A stop that could not wait has answered it.
  if (response.headersSent) return
  if (parts.isClosing()) response.shouldKeepAlive = false
  sendAnswer(response, answer)
}

/** The connection broke, or a stop that could not wait has answered. */
function hasEnded({ socket }: IncomingMessage, { headersSent }: ServerResponse): boolean {
  return socket.destroyed || headersSent
}

function abandon(response: ServerResponse): void {
  if (!response.headersSent) sendEmpty(response, 500)
  else if (!response.writableEnded) response.destroy()
}
