import { readFileSync } from 'node:fs'
import type { Server, ServerResponse } from 'node:http'
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

/**
 * Keeps the number of connections within `limit`. When it is nearly reached, a new one replaces the one that has been idle longest. The
 * others make room by themselves: within ten seconds Node closes those that send no whole request, and this function those whose client
 * does not read a response.
 */
export function limitConnections(server: Server, { limit, readTimeout = 10_000 }: ConnectionLimits): OpenResponses {
  const responses = new Set<ServerResponse>()
  /** When a response that its client does not read was first seen. */
  const unreadSince = new WeakMap<ServerResponse, number>()
  /** Connections without a request, in the order in which they became idle. */
  const idle = new Set<Socket>()
  let connections = 0
  server.maxConnections = limit
  server.on('connection', (socket) => {
    connections += 1
    socket.once('close', () => (connections -= 1))
    if (connections <= limit - freePlaces) return
    for (const longestIdle of idle) {
      idle.delete(longestIdle)
      if (longestIdle.destroyed) continue
      longestIdle.destroy()
      break
    }
  })
  // Over TLS only a finished handshake has a socket for requests.
  const opened = 'setSecureContext' in server ? 'secureConnection' : 'connection'
  server.on(opened, (socket: Socket) => idle.add(socket))
  server.on('request', ({ socket }, response) => {
    responses.add(response)
    idle.delete(socket)
    response.once('close', () => {
      responses.delete(response)
      if (!socket.destroyed) idle.add(socket)
    })
  })
  const sweep = setInterval(() => {
    const now = performance.now()
    for (const socket of idle) if (socket.destroyed) idle.delete(socket)
    for (const response of responses) {
      // A response that waits behind another one of its connection gets no event when the connection breaks.
      if (response.req.socket.destroyed) responses.delete(response)
      else if (response.writableEnded && !response.writableFinished) {
        const since = unreadSince.get(response) ?? now
        unreadSince.set(response, since)
        if (now - since > readTimeout) response.req.socket.destroy()
      }
    }
  }, sweepInterval)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))
  return {
    count: () => responses.size,
    forEachUnanswered(respond) {
      for (const response of responses) if (!response.headersSent) respond(response)
    },
  }
}
