import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The responses of a server that its clients still wait for, or have not read. */
export interface OpenResponses {
  count(): number
  /** Calls `respond` for each that has not begun. */
  forEachUnanswered(respond: (response: ServerResponse) => void): void
}

const mostConnections = 512
/** Descriptors that the process needs besides clients: for files, and for connections to the cloud. */
const reservedDescriptors = 40
/** Places that stay free, because Node closes connections beyond the limit without an event. */
const freePlaces = 4
/** Milliseconds between two checks for clients that do not read. */
const sweepInterval = 1000
/** Requests that one connection may have sent ahead of their responses. */
const maxPipelined = 64

/** How many connections fit into the process's limit of open files. */
export function connectionLimit(openFiles = readOpenFilesLimit()): number {
  return Math.max(8, Math.min(mostConnections, openFiles - reservedDescriptors))
}

function readOpenFilesLimit(): number {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? Infinity : Number(limit)
  } catch {
    // Only Linux has this file.
    return Infinity
  }
}

export interface ConnectionLimits {
  readonly limit: number
  /** Milliseconds that a client may take to read a response. Default is 10000. */
  readonly readTimeout?: number
}

interface Incoming {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** It changes in place: sets that each request changed would leave garbage that only a full garbage collection frees. */
interface Connection {
  /** That of the request under way. */
  current: ServerResponse | undefined
  /** The requests that were sent ahead. */
  readonly next: Incoming[]
  /** Since when it has had no request. */
  idleSince: number
  /** When a response that the client does not read was first seen. */
  unreadSince: number | undefined
}

/**
 * Keeps the number of connections within `limit`. When it is nearly reached, a new one replaces the one that has been idle longest. The
 * others make room by themselves: within ten seconds Node closes those that send no whole request, and this function those whose client
 * does not read a response. A request that was sent ahead begins when the client has read the responses before it.
 */
export function limitConnections(
  server: Server,
  { limit, readTimeout = 10_000 }: ConnectionLimits,
  begin: (request: IncomingMessage, response: ServerResponse) => void,
): OpenResponses {
  const open = new Map<Socket, Connection>()
  let connections = 0
  server.maxConnections = limit
  server.on('connection', (socket) => {
    connections += 1
    socket.once('close', () => (connections -= 1))
    if (connections > limit - freePlaces) longestIdle(open)?.destroy()
  })
  // Over TLS only a finished handshake has a socket for requests.
  const opened = 'setSecureContext' in server ? 'secureConnection' : 'connection'
  server.on(opened, (socket: Socket) => {
    open.set(socket, { current: undefined, next: [], idleSince: performance.now(), unreadSince: undefined })
    socket.once('close', () => open.delete(socket))
  })
  const start = (connection: Connection, { request, response }: Incoming) => {
    connection.current = response
    response.once('close', () => {
      connection.current = undefined
      connection.idleSince = performance.now()
      connection.unreadSince = undefined
      const next = connection.next.shift()
      if (next !== undefined && !request.socket.destroyed) start(connection, next)
    })
    begin(request, response)
  }
  server.on('request', (request, response) => {
    const connection = open.get(request.socket)
    if (connection === undefined) return
    if (connection.current === undefined) start(connection, { request, response })
    else if (connection.next.push({ request, response }) >= maxPipelined) request.socket.destroy()
  })
  const sweep = setInterval(() => {
    const now = performance.now()
    for (const [socket, connection] of open) {
      const { current } = connection
      if (current === undefined || !current.writableEnded || current.writableFinished) continue
      connection.unreadSince ??= now
      if (now - connection.unreadSince > readTimeout) socket.destroy()
    }
  }, sweepInterval)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))
  const responses = () =>
    [...open.values()].flatMap(({ current, next }) => [
      ...(current === undefined ? [] : [current]),
      ...next.map(({ response }) => response),
    ])
  return {
    count: () => responses().length,
    forEachUnanswered(respond) {
      for (const response of responses()) if (!response.headersSent) respond(response)
    },
  }
}

function longestIdle(open: ReadonlyMap<Socket, Connection>): Socket | undefined {
  let found: Socket | undefined
  let since = Infinity
  for (const [socket, { current, idleSince }] of open) {
    if (current !== undefined || socket.destroyed || idleSince >= since) continue
    found = socket
    since = idleSince
  }
  return found
}
