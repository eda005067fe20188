import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { respondToParent } from './respond-to-parent.ts'

/** How the clients of the connections behave. */
export type ConnectionKind = 'idle' | 'slow to send' | 'slow to read' | 'garbage'

export interface ConnectionsJob {
  readonly port: number
  readonly kind: ConnectionKind
  readonly count: number
  /** Whether each connection comes from another address. Otherwise all come from 127.0.0.1. */
  readonly isSpread: boolean
}

const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n'
/** The first bytes of a connection. */
const opening: Readonly<Record<ConnectionKind, () => string | Buffer>> = {
  idle: () => '',
  'slow to send': () => `${request}X-Slow: `,
  'slow to read': () => `${request}\r\n`.repeat(60),
  garbage: () => randomBytes(64 * 1024),
}

/** Milliseconds before a connection that the server closed is opened again. */
const pause = 1000

// Opens the connections, and opens each again that the server closes.
respondToParent(async (message) => {
  const { port, kind, count, isSpread } = message as ConnectionsJob
  const open = (index: number) =>
    new Promise<void>((resolve) => {
      const localAddress = isSpread ? `127.1.${(index >> 8) & 255}.${index & 255 || 1}` : '127.0.0.1'
      const socket: Socket = connect({ port, host: '127.0.0.1', localAddress })
      socket.on('error', () => undefined)
      socket.once('close', () => {
        resolve()
        setTimeout(() => void open(index), pause)
      })
      socket.once('connect', () => {
        resolve()
        if (kind !== 'slow to read') socket.resume()
        const bytes = opening[kind]()
        if (bytes.length > 0) socket.write(bytes)
        if (kind === 'slow to send') {
          const drip = setInterval(() => socket.write('x'), 1000)
          socket.once('close', () => clearInterval(drip))
        }
      })
      if (kind === 'slow to read') socket.pause()
    })
  const opened: Promise<void>[] = []
  for (let index = 0; index < count; index++) {
    opened.push(open(index))
    // Lets the server accept connections. The probes begin before all are open.
    if (index % 100 === 99) await sleep(1)
  }
  return { begun: opened.length }
})
