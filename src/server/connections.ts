import { readRegularFile } from '../lib/base/files.ts'
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
    const limit = /^Max open files\s+(\d+)/m.exec(String(readRegularFile('/proc/self/limits', 65_536)))?.[1]
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

/** Changes in place: a new object for each request would be garbage that only a full garbage collection frees. */
interface Connection {
  /** The TCP connection, which lies below TLS. */
  readonly socket: Socket
  /** Whether the client still has to finish its TLS handshake, or to send its first request over plain HTTP. */
  isPending: boolean
  /** The response to the request under way. */
  current: ServerResponse | undefined
  /** The requests that were sent ahead. */
  readonly next: Incoming[]
  /** When it was accepted, finished its handshake or ended its last request. */
  idleSince: number
  /** When a response that the client does not read was first seen. */
  unreadSince: number | undefined
}

/**
 * Keeps the number of connections within `limit`: a new one beyond it replaces the one that {@link longestIdle} picks. Busy connections
 * free themselves: Node closes one that sends no complete request within ten seconds, and this function one whose client stops reading.
 * A request that was sent ahead begins when the client has read the responses before it.
 */
export function limitConnections(
  server: Server,
  { limit, readTimeout = 10_000 }: ConnectionLimits,
  begin: (request: IncomingMessage, response: ServerResponse) => void,
): OpenResponses {
  const open = new Set<Connection>()
  /** By the socket that carries requests: over TLS another one than the TCP connection. */
  const bySocket = new Map<Socket, Connection>()
  const isTls = 'setSecureContext' in server
  const accept = (socket: Socket): Connection => {
    const [isPending, idleSince] = [true, performance.now()]
    const connection = { socket, isPending, current: undefined, next: [], idleSince, unreadSince: undefined }
    open.add(connection)
    socket.once('close', () => open.delete(connection))
    if (open.size > limit) close(longestIdle(open, limit) ?? connection)
    return connection
  }
  const close = (connection: Connection) => {
    // The descriptor is free at once, and the event `close` comes after all that Node accepts in the same turn.
    open.delete(connection)
    connection.socket.destroy()
  }
  const carry = (socket: Socket, connection: Connection) => {
    bySocket.set(socket, connection)
    socket.once('close', () => bySocket.delete(socket))
  }
  server.on('connection', (socket) => {
    if (!isTls) carry(socket, accept(socket))
    // A Unix socket has no port to find it by. Only users whom this server trusts can open it, so it counts after its handshake.
    else if (socket.remotePort !== undefined) accept(socket)
  })
  server.on('secureConnection', (socket: Socket) => {
    const { remoteAddress, remotePort } = socket
    const isBelow = ({ socket: tcp }: Connection) =>
      tcp.remotePort === remotePort && tcp.remoteAddress === remoteAddress
    const connection = remotePort === undefined ? accept(socket) : [...open].find(isBelow)
    if (connection === undefined) return
    connection.isPending = false
    connection.idleSince = performance.now()
    carry(socket, connection)
  })
  const start = (connection: Connection, { request, response }: Incoming) => {
    connection.isPending = false
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
    const connection = bySocket.get(request.socket)
    if (connection === undefined) return
    if (connection.current === undefined) start(connection, { request, response })
    else if (connection.next.push({ request, response }) >= maxPipelined) request.socket.destroy()
  })
  const sweep = setInterval(() => {
    const now = performance.now()
    for (const connection of open) {
      const { current } = connection
      if (current === undefined || !current.writableEnded || current.writableFinished) continue
      connection.unreadSince ??= now
      if (now - connection.unreadSince > readTimeout) close(connection)
    }
  }, sweepInterval)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))
  const responses = () =>
    [...open].flatMap(({ current, next }) => [
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

/**
 * Picks the connection to close for a new one. Pending ones are the flood if they take more than an eighth of the places: the oldest goes
 * first, so that clients which finished their handshake keep their connections, and a new client has the time for its own. Below that
 * the connection without a request for the longest time goes, so that idle ones can't lock new clients out.
 */
export function longestIdle<C extends Pick<Connection, 'isPending' | 'current' | 'idleSince'>>(
  open: Iterable<C>,
  limit: number,
): C | undefined {
  let pendingCount = 0
  let pending: C | undefined
  let idle: C | undefined
  for (const connection of open) {
    if (connection.current !== undefined) continue
    if (!connection.isPending) {
      if (idle === undefined || connection.idleSince < idle.idleSince) idle = connection
      continue
    }
    pendingCount += 1
    if (pending === undefined || connection.idleSince < pending.idleSince) pending = connection
  }
  return pendingCount > Math.max(2, limit / 8) ? pending : (idle ?? pending)
}
