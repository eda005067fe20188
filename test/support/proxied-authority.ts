import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { CertificateAuthority } from '../../src/enclave/enclave.ts'

/** A login authority under a name that only a proxy knows, for what is on loopback is never reached through one. */
export interface ProxiedAuthority {
  readonly authorityHost: string
  readonly proxyUrl: string
  /** What the proxy was asked to connect to, and by whom. */
  readonly tunnels: { readonly host: string; readonly authorization: string | undefined }[]
  /** Lets the proxy refuse every tunnel with a status line, or with `undefined` none. */
  refuse(status: string | undefined): void
  /** Lets the proxy send informational responses before each tunnel, or with an empty text none. */
  inform(responses: string): void
  close(): void
}

const name = 'login.proxied.test'

/**
 * Starts both on loopback.
 *
 * @param ca Signs the certificate of the authority.
 * @param others Further names of the authority for the proxy and the certificate.
 */
export async function startProxiedAuthority(
  ca: CertificateAuthority,
  others: readonly string[] = [],
): Promise<ProxiedAuthority> {
  const { privateKeyPem: key, chainPem: cert } = await ca.issue({
    commonName: name,
    usage: 'server',
    names: [name, ...others],
  })
  const sockets = new Set<Socket>()
  const tunnels: ProxiedAuthority['tunnels'] = []
  let refusal: string | undefined
  let information = ''

  const authority: TlsServer = createTlsServer({ key, cert }, ({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(url.endsWith('openid-configuration') ? openIdConfiguration(origin) : token))
  })
  authority.on('tlsClientError', () => {})
  const proxy = createServer().on('connect', ({ url = '', headers }: IncomingMessage, client: Socket) => {
    tunnels.push({ host: url, authorization: headers['proxy-authorization'] })
    client.on('error', () => {})
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 ${refusal}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
      return
    }
    const upstream = connect(portOf(authority), '127.0.0.1', () => {
      if (information !== '') client.write(information)
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    })
    sockets.add(upstream)
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
    upstream.pipe(client)
    client.pipe(upstream)
  })
  proxy.on('connection', (socket) => sockets.add(socket))
  for (const server of [authority, proxy]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  const origin = `https://${name}:${portOf(authority)}`
  return {
    authorityHost: `${origin}/`,
    proxyUrl: `http://127.0.0.1:${portOf(proxy)}`,
    tunnels,
    refuse(status) {
      refusal = status
    },
    inform(responses) {
      information = responses
    },
    close() {
      for (const socket of sockets) socket.destroy()
      authority.close()
      proxy.close()
    },
  }
}

function portOf(server: Server | TlsServer): number {
  return (server.address() as AddressInfo).port
}

const token = { token_type: 'Bearer', access_token: 'opaque', expires_in: 3600 }

function openIdConfiguration(origin: string): object {
  return {
    issuer: `${origin}/tenant.test/v2.0`,
    authorization_endpoint: `${origin}/tenant.test/oauth2/v2.0/authorize`,
    token_endpoint: `${origin}/tenant.test/oauth2/v2.0/token`,
    jwks_uri: `${origin}/tenant.test/keys`,
  }
}
