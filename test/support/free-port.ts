import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'

/** Listens, on a free port of 127.0.0.1 by default. @returns The port. */
export async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Whether a port of 127.0.0.1 is free. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer((socket) => socket.destroy())
  try {
    await listen(server, '127.0.0.1', port)
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  }
}
