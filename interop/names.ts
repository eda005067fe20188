import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'

/**
 * Names that lead to servers of this machine, on port 443: each has a loopback address, from which every connection is passed on. Works
 * in a network namespace, where the name server is ours and port 443 is free.
 */
export interface Names {
  /** @param name A host name, or with a dot at its start all names that end with it. */
  readonly point: (name: string, port: number) => Promise<void>
  readonly addressOf: (name: string) => string | undefined
  /** Forgets all names. */
  readonly clear: () => void
}

export function createNames(): Names {
  const rows = new Map<string, { readonly address: string; readonly server: Server }>()
  let count = 1
  const rowOf = (name: string) =>
    [...rows].find(([known]) => name === known || (known[0] === '.' && name.endsWith(known)))
  return {
    async point(name, port) {
      count = (count % 250) + 1
      const address = `127.0.1.${count}`
      const server = createServer((socket) => {
        const target = connect(port, '127.0.0.1')
        socket.pipe(target).pipe(socket)
        for (const each of [socket, target]) each.on('error', () => [socket, target].map((end) => end.destroy()))
      })
      server.listen(443, address)
      await once(server, 'listening')
      rows.set(name, { address, server })
    },
    addressOf: (name) => rowOf(name.toLowerCase())?.[1].address,
    clear() {
      for (const { server } of rows.values()) server.close()
      rows.clear()
    },
  }
}
