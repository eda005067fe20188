import { readFileSync } from 'node:fs'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { isLoopback, networkOf } from '../../lib/base/address.ts'
import { errorCode } from '../../lib/base/error-code.ts'
import type { Activity } from '../activity.ts'

/** The open connections of a server, and the answers that each still waits for. */
export interface Connections {
  /**
   * Ends the connections that wait for no response, in order. It first reads the bytes that the peer sent meanwhile, so that the peer sees
   * no reset.
   */
  endIdle(): void
  /** Calls `answer` for each request that has none yet. */
  forEachUnanswered(answer: (response: ServerResponse) => void): void
}

/** Requests that one connection may have sent ahead of their answers. */
const maxPipelined = 64
/** Pipelined requests of all connections: a parsed request takes some kilobytes. */
const maxPipelinedInAll = 1024
const mostConnections = 512
/** Descriptors that the process needs besides clients: for files, and for connections to the cloud. */
const reservedDescriptors = 40
/** Places that stay free, because Node closes connections beyond the limit without an event. */
const freePlaces = 4
/** Milliseconds between two checks for peers that do not read. */
const sweepInterval = 1000

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
  readonly isSecure: boolean
  /** Milliseconds that a peer may take to read an answer. Default is 10000. */
  readonly writeTimeout?: number
}

const useHttps = 'This port speaks https: begin the address with https://.\n'
/** The response to a client that speaks http on a TLS port. */
const spokenPlainly = [
  'HTTP/1.1 400 Bad Request',
  'content-type: text/plain; charset=utf-8',
  `content-length: ${useHttps.length}`,
  'connection: close',
  '',
  useHttps,
].join('\r\n')

interface Connection {
  /** Once a TLS handshake is finished, what comes out of it. */
  socket: Socket
  readonly peer: string
  /** A TLS handshake is not finished. */
  isPending: boolean
  /** In the order of their requests. */
  readonly responses: Set<ServerResponse>
  /** When an answer that the peer does not read was first seen. */
  stalledSince: number | undefined
}

/**
 * Counts each request until its answer has left or its connection has gone, and keeps the number of connections within `limit`, so that
 * no peer shuts others out:
 *
 * - Near the limit a new connection replaces one of the peer with the most connections, that with the least progress: an answer that is
 *   not read, else the longest idle one, an unfinished handshake, a connection with requests ahead, and last the longest waiting one.
 * - One peer address gets three quarters of the places, and an eighth is kept for loopback.
 * - A connection whose client does not read a response for 10 seconds is closed.
 * - A connection that sends more than 64 requests ahead is closed. While 1,024 wait in all, any request ahead closes its connection.
 *
 * Connections are watched as well as answers, because Node says nothing about an answer that waits behind another one on a connection
 * that breaks.
 */
export function trackConnections(
  server: Server,
  activity: Activity,
  { limit, isSecure, writeTimeout = 10_000 }: ConnectionLimits,
): Connections {
  // In the order of their last activity.
  const open = new Set<Connection>()
  const bySocket = new WeakMap<Socket, Connection>()
  // In their TLS handshake.
  const pending = new Map<unknown, Connection>()
  const perPeer = new Map<string, number>()
  let pipelined = 0
  const mostOfOnePeer = Math.floor((limit * 3) / 4)
  const reserved = Math.min(64, Math.floor(limit / 8))
  server.maxConnections = limit

  server.on('connection', (socket: Socket) => {
    const peer = networkOf(socket.remoteAddress ?? '')
    makeRoom(peer)
    perPeer.set(peer, (perPeer.get(peer) ?? 0) + 1)
    const connection: Connection = {
      socket,
      peer,
      isPending: isSecure,
      responses: new Set(),
      stalledSince: undefined,
    }
    open.add(connection)
    bySocket.set(socket, connection)
    withoutStackTraces(socket)
    const key = keyOf(socket)
    if (isSecure) pending.set(key, connection)
    socket.once('close', () => {
      pipelined -= Math.max(0, connection.responses.size - 1)
      for (const _ of connection.responses) activity.end()
      connection.responses.clear()
      open.delete(connection)
      if (pending.get(key) === connection) pending.delete(key)
      const left = (perPeer.get(peer) ?? 1) - 1
      if (left > 0) perPeer.set(peer, left)
      else perPeer.delete(peer)
    })
  })
  server.on('secureConnection', (socket: Socket) => {
    const key = keyBeneath(socket)
    const connection = pending.get(key)
    if (connection === undefined) return
    pending.delete(key)
    connection.isPending = false
    connection.socket = socket
    bySocket.set(socket, connection)
    withoutStackTraces(socket)
  })
  server.on('tlsClientError', (error, socket: Socket) => {
    if (errorCode(error) !== 'ERR_SSL_HTTP_REQUEST') return
    const raw = pending.get(keyBeneath(socket))?.socket
    raw?.setTimeout(sweepInterval, () => raw.destroy()).end(spokenPlainly)
  })
  server.on('request', ({ socket }, response) => {
    const connection = bySocket.get(socket)
    if (connection === undefined || socket.destroyed) return
    const { responses } = connection
    const isAhead = responses.size > 0
    if (responses.size >= maxPipelined || (isAhead && pipelined >= maxPipelinedInAll)) {
      socket.destroy()
      return
    }
    responses.add(response)
    if (isAhead) pipelined += 1
    touch(connection)
    activity.begin()
    response.once('close', () => {
      if (!responses.delete(response)) return
      if (responses.size > 0) pipelined -= 1
      connection.stalledSince = undefined
      touch(connection)
      activity.end()
    })
  })
  const sweep = setInterval(() => {
    const now = performance.now()
    for (const connection of open) {
      if (!isUnread(connection)) continue
      connection.stalledSince ??= now
      if (now - connection.stalledSince > writeTimeout) connection.socket.destroy()
    }
  }, sweepInterval)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))

  function touch(connection: Connection): void {
    if (open.delete(connection)) open.add(connection)
  }

  function makeRoom(peer: string): void {
    const own = perPeer.get(peer) ?? 0
    if (own >= mostOfOnePeer) {
      evict(peer, true)
      return
    }
    const isLocal = isLoopback(peer)
    if (open.size < limit - freePlaces - (isLocal ? 0 : reserved)) return
    const heaviest = heaviestPeer()
    const mayInterrupt = isLocal || own < (perPeer.get(heaviest) ?? 0)
    if (!evict(heaviest, mayInterrupt)) evict(undefined, false)
  }

  /**
   * @param peer Whose connection goes. `undefined` for any peer's.
   * @param mayInterrupt Whether a connection may go that waits for an answer.
   * @returns Whether one went.
   */
  function evict(peer: string | undefined, mayInterrupt: boolean): boolean {
    const candidates = [...open].filter((one) => !one.socket.destroyed && (peer === undefined || one.peer === peer))
    const victim =
      candidates.find(({ stalledSince }) => stalledSince !== undefined) ??
      candidates.find(({ isPending, responses }) => !isPending && responses.size === 0) ??
      candidates.find(({ isPending }) => isPending) ??
      candidates.find(({ responses }) => responses.size > 1) ??
      (mayInterrupt ? candidates[0] : undefined)
    victim?.socket.destroy()
    return victim !== undefined
  }

  function heaviestPeer(): string {
    let heaviest = ''
    for (const [peer, count] of perPeer) if (count > (perPeer.get(heaviest) ?? 0)) heaviest = peer
    return heaviest
  }

  return {
    endIdle() {
      for (const { socket, responses } of open) if (responses.size === 0) socket.end()
    },
    forEachUnanswered(answer) {
      for (const { responses } of open) {
        for (const response of responses) if (!response.headersSent) answer(response)
      }
    },
  }
}

/**
 * When a connection breaks, Node makes an error for each request of it that has no answer, and nothing reads it. Their stack traces would
 * take more time than everything else about them.
 */
function withoutStackTraces(socket: Socket): void {
  let before = 0
  socket.prependListener('close', () => {
    before = Error.stackTraceLimit
    Error.stackTraceLimit = 0
  })
  socket.once('close', () => (Error.stackTraceLimit = before))
}

/** Whether the first answer has been written and has not left. */
function isUnread({ responses }: Connection): boolean {
  const [first] = responses
  return first !== undefined && first.writableEnded && !first.writableFinished
}

/** Identifies a connection: address and port of the peer, which are the same above TLS. A Unix socket or a pipe has neither. */
function keyOf(socket: Socket): unknown {
  const { remoteAddress, remotePort } = socket
  return remotePort === undefined ? socket : `${remoteAddress} ${remotePort}`
}

/** The key of the connection beneath TLS. Node keeps it in `_parent`, a name that it does not document (22.1 to 26.10 have it). */
function keyBeneath(secure: Socket & { readonly _parent?: unknown }): unknown {
  return secure.remotePort === undefined ? secure._parent : keyOf(secure)
}
