import { createServer as createPlainServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { createSecureContext, type SecureContext } from 'node:tls'
import { callbackify } from 'node:util'
import type { CertificateAuthority } from 'cloud-profile-enclave/enclave'
import { listen } from '../support/free-port.ts'

/** A request that arrived. */
export interface ReceivedRequest {
  /** As the Host header says. */
  readonly host: string
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A response. Any body but a text becomes JSON. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A server that plays every host: login authority, resource manager, vault, identity endpoint. */
export interface AnyCloud {
  readonly securePort: number
  readonly plainPort: number
  /** Makes the response to each request from now on. Default: 404. */
  answer: (request: ReceivedRequest) => Answer
  /** What arrived since the last call. */
  takeRequests(): ReceivedRequest[]
  close(): void
}

export async function startAnyCloud(ca: CertificateAuthority): Promise<AnyCloud> {
  const requests: ReceivedRequest[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { headers, method = '', url: path = '' } = request
    const received = { host: headers.host ?? '', method, path, headers, body: await text(request) }
    requests.push(received)
    const { status, headers: own, body } = cloud.answer(received)
    response.writeHead(status, { 'content-type': 'application/json', ...own })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void handle(request, response).catch(() => response.destroy())

  const contexts = new Map<string, Promise<SecureContext>>()
  const contextOf = (name: string) => {
    const context = contexts.get(name) ?? issueContext(ca, name)
    contexts.set(name, context)
    return context
  }
  const secure = createServer({ SNICallback: callbackify(contextOf) }, listener)
  secure.on('tlsClientError', () => {})
  const plain = createPlainServer(listener)
  const cloud: AnyCloud = {
    securePort: await listen(secure),
    plainPort: await listen(plain),
    answer: () => ({ status: 404, body: {} }),
    takeRequests: () => requests.splice(0),
    close() {
      for (const server of [secure, plain]) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
  return cloud
}

async function issueContext(ca: CertificateAuthority, name: string): Promise<SecureContext> {
  const { chainPem, privateKeyPem } = await ca.issue({ commonName: 'any cloud', usage: 'server', names: [name] })
  return createSecureContext({ cert: chainPem, key: privateKeyPem })
}
