import { readFileSync } from 'node:fs'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { Activity } from '../activity.ts'

/** The open connections of a server, and the answers that each still waits for. */
export interface Connections {
  /** Ends those that wait for no answer, in order: what the peer sent meanwhile is read, so that it sees no reset. */
  endIdle(): void
  /** Calls `answer` for each request that has none yet. */
  forEachUnanswered(answer: (response: ServerResponse) => void): void
}

/** Requests that one connection may have sent ahead of their answers. */
const maxPipelined = 64
const mostConnections = 512
/** Descriptors that the process needs for itself: its own, those of files, and of connections to the cloud. */
const reservedDescriptors = 40

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

/**
 * Counts each request until its answer has left or its connection has gone, and keeps the number of connections within
 * `limit`: near it, the connection that has been idle longest makes room for a new one, so that many open connections shut
 * nobody out. The connection is watched as well because Node says nothing about an answer that waits behind another one on
 * a connection that breaks.
 */
export function trackConnections(server: Server, activity: Activity, limit: number, isSecure: boolean): Connections {
  // In the order of their last activity.
  const open = new Map<Socket, Set<ServerResponse>>()
  // Connections in their TLS handshake, by the peer's address: what comes out of it is another object.
  const pending = new Map<string, Socket>()
  server.maxConnections = limit
  server.on('connection', (socket: Socket) => {
    // A few places stay free, for beyond the limit Node closes new connections unheard.
    if (open.size + pending.size >= limit - 4) (findIdle() ?? pending.values().next().value)?.destroy()
    if (!isSecure) return
    const peer = peerOf(socket)
    pending.set(peer, socket)
    socket.once('close', () => {
      if (pending.get(peer) === socket) pending.delete(peer)
    })
  })
  server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
    pending.delete(peerOf(socket))
    open.set(socket, new Set())
    socket.once('close', () => {
      for (const _ of open.get(socket) ?? []) activity.end()
      open.delete(socket)
    })
  })
  server.on('request', ({ socket }, response) => {
    const responses = open.get(socket)
    if (responses === undefined) return
    if (responses.size >= maxPipelined) {
      socket.destroy()
      return
    }
    responses.add(response)
    touch(socket, responses)
    activity.begin()
    response.once('close', () => {
      if (!open.has(socket)) return
      responses.delete(response)
      touch(socket, responses)
      activity.end()
    })
  })

  function peerOf({ remoteAddress, remotePort }: Socket): string {
    return `${remoteAddress} ${remotePort}`
  }

  function touch(socket: Socket, responses: Set<ServerResponse>): void {
    open.delete(socket)
    open.set(socket, responses)
  }

  function findIdle(): Socket | undefined {
    for (const [socket, responses] of open) if (responses.size === 0) return socket
    return undefined
  }

  return {
    endIdle() {
      for (const [socket, responses] of open) if (responses.size === 0) socket.end()
    },
    forEachUnanswered(answer) {
      for (const responses of open.values()) {
        for (const response of responses) if (!response.headersSent) answer(response)
      }
    },
  }
}
