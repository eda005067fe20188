import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A load balancer on loopback: each request goes to the next of these ports. @returns Its port. */
export async function startRoundRobin(ports: readonly number[]): Promise<{ readonly port: number; close(): void }> {
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const port = ports[turn++ % ports.length]
    const forwarded = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
