import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'

/** Listens, on a free port of 127.0.0.1 by default. @returns The port. */
export async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Listens on a port of 127.0.0.1; any free one by default. @throws when the port is in use. */
export async function occupyPort(port = 0): Promise<Server & { readonly port: number }> {
  const server = createServer((socket) => socket.destroy())
  return Object.assign(server, { port: await listen(server, '127.0.0.1', port) })
}

export async function isFree(port: number): Promise<boolean> {
  try {
    const server = await occupyPort(port)
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  }
}
