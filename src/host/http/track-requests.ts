import type { Server } from 'node:http'
import type { Socket } from 'node:net'

import type { Activity } from '../activity.ts'

/**
 * Counts each request until its answer has left or its connection has gone. The connection is watched as well because Node
 * says nothing about an answer that waits behind another one on a connection that breaks.
 */
export function trackRequests(server: Server, activity: Activity): void {
  const open = new Map<Socket, number>()
  server.on('connection', (socket: Socket) => {
    open.set(socket, 0)
    socket.once('close', () => {
      for (let left = open.get(socket) ?? 0; left > 0; left -= 1) activity.end()
      open.delete(socket)
    })
  })
  server.on('request', ({ socket }, response) => {
    const count = open.get(socket)
    if (count === undefined) return
    open.set(socket, count + 1)
    activity.begin()
    response.once('close', () => {
      const left = open.get(socket)
      if (left === undefined) return
      open.set(socket, left - 1)
      activity.end()
    })
  })
}
