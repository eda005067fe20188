import { readRegularFile } from '../lib/base/files.ts'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const mostConnections = 512
/** File descriptors that the process needs for files and for connections to the cloud. */
const reservedDescriptors = 40
/** Milliseconds between two checks for clients that don't read their response. */
const sweepInterval = 1000
/** The number of requests that a client may send on one connection before it gets a response (HTTP pipelining). */
const maxPipelined = 64

/** The number of connections that the process's limit of open files allows. */
export function connectionLimit(openFiles = readOpenFilesLimit()): number {
  return Math.max(8, Math.min(mostConnections, openFiles - reservedDescriptors))
}

function readOpenFilesLimit(): number {
  try {
    const limits = String(readRegularFile('/proc/self/limits', 65_536))
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity)
  } catch {
    // Only Linux has this file.
    return Infinity
  }
}

/** The TCP connection of a socket. Node keeps the one below TLS in the undocumented `_parent` (seen in 22.1 to 26.10). */
export const tcpOf = (socket: Socket): Socket => (socket as { readonly _parent?: Socket | null })._parent ?? socket

export interface ConnectionLimits {
  readonly limit: number
  /** Milliseconds that a client may take to read a response. Default is 10000. */
  readonly readTimeout?: number
}

/** The state changes in place, because only a full garbage collection would free a new object for each request. */
interface Connection {
  /** The TCP connection. With TLS, it carries the TLS socket. */
  readonly socket: Socket
  /** Whether the client still has to finish its TLS handshake, or to send its first request over plain HTTP. */
  isPending: boolean
  /** The response that is being made or sent. */
  current: ServerResponse | undefined
  /** The responses to pipelined requests, which wait for `current`. */
  readonly next: ServerResponse[]
  /** The time of its last progress: accepted, handshake finished, or last response sent. */
  idleSince: number
  /** Since when the client has not read a finished response. */
  unreadSince: number | undefined
}

/**
 * Keeps the number of connections within `limit`: a further connection replaces the one that {@link longestIdle} picks. No client can occupy
 * a connection forever, because Node closes one without a complete request within ten seconds, and this function closes one whose client
 * stops reading. A pipelined request begins after the client has read the responses before it.
 */
export function limitConnections(
  server: Server,
  { limit, readTimeout = 10_000 }: ConnectionLimits,
  begin: (request: IncomingMessage, response: ServerResponse) => void,
) {
  /** By TCP connection. */
  const open = new Map<Socket, Connection>()
  const close = ({ socket }: Connection) => {
    // The descriptor is free at once, but Node may accept more connections before it emits `close`.
    open.delete(socket)
    socket.destroy()
  }
  const accept = (socket: Socket) => {
    const [isPending, idleSince] = [true, performance.now()]
    const connection = { socket, isPending, current: undefined, next: [], idleSince, unreadSince: undefined }
    open.set(socket, connection)
    socket.once('close', () => open.delete(socket))
    if (open.size > limit) close(longestIdle(open.values(), limit) ?? connection)
    return connection
  }
  server.on('connection', accept)
  server.on('secureConnection', (socket: Socket) => {
    if (socket.destroyed) return
    // If Node hides the TCP connection, the TLS socket is a connection itself.
    const connection = open.get(tcpOf(socket)) ?? accept(socket)
    connection.isPending = false
    connection.idleSince = performance.now()
  })
  const start = (connection: Connection, response: ServerResponse) => {
    connection.isPending = false
    connection.current = response
    response.once('close', () => {
      connection.current = undefined
      connection.idleSince = performance.now()
      connection.unreadSince = undefined
      const next = connection.next.shift()
      if (next !== undefined && !response.req.socket.destroyed) start(connection, next)
    })
    begin(response.req, response)
  }
  server.on('request', (request, response) => {
    const connection = open.get(tcpOf(request.socket))
    if (connection === undefined) return
    if (connection.current === undefined) start(connection, response)
    else if (connection.next.push(response) >= maxPipelined) request.socket.destroy()
  })
  const sweep = setInterval(() => {
    const now = performance.now()
    for (const connection of open.values()) {
      const { current } = connection
      if (current === undefined || !current.writableEnded || current.writableFinished) continue
      connection.unreadSince ??= now
      if (now - connection.unreadSince > readTimeout) close(connection)
    }
  }, sweepInterval)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))
  const responses = () =>
    [...open.values()].flatMap(({ current, next }) => (current === undefined ? next : [current, ...next]))
  return {
    /** The number of responses that clients still wait for or have not read completely. */
    count: () => responses().length,
    /** Calls `respond` for each response that has not begun. */
    forEachUnanswered(respond: (response: ServerResponse) => void) {
      for (const response of responses()) if (!response.headersSent) respond(response)
    },
  }
}

/**
 * Picks the connection to close for a new one. If more than an eighth of all places are pending, they are a flood, and the oldest pending
 * connection is closed. So established clients keep their connections, and a new client has time for its handshake. Otherwise the connection
 * that has been idle longest is closed, so that idle clients can't lock new ones out.
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
