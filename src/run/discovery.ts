import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { CloudProfile } from '../lib/profile/cloud-profile.ts'
import { respondToDiscovery } from '../lib/profile/discovery-response.ts'
import { identityProviderOf } from '../lib/profile/identity-provider.ts'

/** A host and port that the child named. */
export interface Target {
  readonly host: string
  readonly port: number
}

/** Answers in place of the public login hosts: their instance discovery, and an error to every other request. */
export interface DiscoveryResponder {
  /** A connection through CONNECT. */
  accept(socket: Socket, target: Target): void
  /** A request without TLS. */
  respond(request: IncomingMessage, response: ServerResponse, target: Target): void
  close(): void
}

/**
 * @param identity A certificate for every public login host, in PEM.
 * @param onRefused Called for a request that is no instance discovery. It never leaves this machine.
 */
export function createDiscoveryResponder(
  profile: CloudProfile,
  identity: { readonly key: string; readonly cert: string },
  onRefused: (target: Target) => void,
): DiscoveryResponder {
  const secureContext = createSecureContext(identity)
  const targets = new WeakMap<object, Target>()
  const respond: DiscoveryResponder['respond'] = (request, response, target) => {
    const url = URL.parse(request.url ?? '', `https://${target.host}`)
    request.resume()
    const isDiscovery = request.method === 'GET' && url?.pathname === '/common/discovery/instance'
    if (!isDiscovery) onRefused(target)
    const { status, body } = isDiscovery
      ? respondToDiscovery(anyTenantOf(profile), url.searchParams.get('authorization_endpoint') ?? '')
      : { status: 400, body: refusal(profile, target) }
    const text = JSON.stringify(body)
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
    })
    response.end(text)
  }
  const server: Server = createServer((request, response) => {
    const target = targets.get(request.socket)
    if (target === undefined) request.socket.destroy()
    else respond(request, response, target)
  })
  return {
    accept(socket, target) {
      const secure = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] })
      // A child that does not trust the certificate hangs up.
      secure.on('error', () => socket.destroy())
      targets.set(secure, target)
      server.emit('connection', secure)
    },
    respond,
    close: () => server.closeAllConnections(),
  }
}

/** A program may sign in to several tenants. A federation service has one. */
function anyTenantOf(profile: CloudProfile): Pick<CloudProfile, 'authorityHost' | 'tenantId'> {
  const { authorityHost } = profile
  return identityProviderOf(profile).kind === 'federation-service' ? profile : { authorityHost }
}

/** An OAuth error (RFC 6749, section 5.2). The request may hold a secret of the profile's cloud. */
function refusal({ name, authorityHost }: CloudProfile, { host }: Target) {
  return {
    error: 'invalid_request',
    error_description: `This request was for ${host}, but cloud-profile runs this program in ${name}: set its authority to ${authorityHost}. The request did not leave this machine.`,
  }
}
