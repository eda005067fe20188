import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { listen } from './free-port.ts'

interface ForwardProxyOptions {
  readonly ports: ReadonlyMap<string, number>
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** A proxy on loopback for CONNECT alone. */
export interface ForwardProxy {
  readonly host: string
  /** What it was asked to connect to, and by whom. */
  readonly tunnels: { readonly host: string; readonly authorization: string | undefined }[]
  /** `USER:PASSWORD` that each request must have. */
  account: string | undefined
  challenge: string
  refusal: number | undefined
  isMute: boolean
  close(): void
}

/** @param hostname How clients name it: `localhost` for a certificate. */
export async function startForwardProxy({ ports, tls }: ForwardProxyOptions, hostname = '127.0.0.1') {
  const sockets = new Set<Duplex>()
  const server: Server | SecureServer = tls === undefined ? createServer() : createSecureServer(tls)
  const refuse = (client: Duplex, status: number, header = ''): void =>
    void client.end(`HTTP/1.1 ${status} No\r\n${header}content-length: 0\r\nconnection: close\r\n\r\n`)
  server.on('connect', ({ url = '', headers }: IncomingMessage, client: Duplex) => {
    client.on('error', () => {})
    proxy.tunnels.push({ host: url, authorization: headers['proxy-authorization'] })
    if (proxy.isMute) return
    const sent = headers['proxy-authorization']?.replace(/^Basic /, '') ?? ''
    if (proxy.account !== undefined && Buffer.from(sent, 'base64').toString() !== proxy.account)
      return refuse(client, 407, `proxy-authenticate: ${proxy.challenge}\r\n`)
    const port = ports.get(url.replace(/:\d+$/, ''))
    if (proxy.refusal !== undefined || port === undefined) return refuse(client, proxy.refusal ?? 502)
    const upstream: Socket = connect(port, '127.0.0.1', () => {
      client.write(`HTTP/1.1 200 Connection established\r\n\r\n`)
      upstream.pipe(client)
      client.pipe(upstream)
    })
    sockets.add(upstream)
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.on('tlsClientError', () => {})
  const proxy: ForwardProxy = {
    host: `${hostname}:${await listen(server)}`,
    tunnels: [],
    account: undefined,
    challenge: 'Basic realm="proxy"',
    refusal: undefined,
    isMute: false,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
  return proxy
}
