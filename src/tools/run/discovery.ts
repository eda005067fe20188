import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { respondToDiscovery } from './discovery-response.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'

/** A host and port that the program named. */
export interface Target {
  readonly host: string
  readonly port: number
}

/** An error response in the form of the resource manager and vaults, so that SDKs show the message. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** Responds in place of other clouds' login hosts: to instance discovery as a public cloud does, to any other request with an error. */
export interface DiscoveryResponder {
  /**
   * Responds on a connection that CONNECT opened.
   *
   * @param refusal The response to each request. Without it, the response is a login host's.
   */
  accept(socket: Socket, target: Target, refusal?: Refusal): Promise<void>
  /** Responds to a request without TLS. */
  respond(request: IncomingMessage, response: ServerResponse, target: Target): void
  close(): void
}

/** A certificate with its key, in PEM. */
export interface ServerIdentity {
  readonly key: string
  readonly cert: string
}

/**
 * @param identityOf Issues the certificate for a host name.
 * @param onRefused Called for a request other than instance discovery. The request never leaves this machine.
 * @param prefix The start of each error description.
 */
export function createDiscoveryResponder(
  profile: CloudProfile,
  identityOf: (host: string) => Promise<ServerIdentity>,
  onRefused: (target: Target) => void,
  prefix = '',
): DiscoveryResponder {
  const contexts = new Map<string, Promise<SecureContext>>()
  const contextOf = (host: string) => {
    const context = contexts.get(host) ?? identityOf(host).then(createSecureContext)
    contexts.set(host, context)
    return context
  }
  const targets = new WeakMap<object, Target & { readonly refusal?: Refusal | undefined }>()
  const respond: DiscoveryResponder['respond'] = (request, response, target) => {
    const url = URL.parse(request.url ?? '', `https://${target.host}`)
    request.resume()
    const isDiscovery = request.method === 'GET' && url?.pathname === '/common/discovery/instance'
    if (!isDiscovery) onRefused(target)
    const { status, body } = isDiscovery
      ? respondToDiscovery(anyTenantOf(profile), url.searchParams.get('authorization_endpoint') ?? '')
      : { status: 400, body: oauthError(profile, target, prefix) }
    send(response, status, body)
  }
  const server: Server = createServer((request, response) => {
    const target = targets.get(request.socket)
    if (target === undefined) request.socket.destroy()
    else if (target.refusal === undefined) respond(request, response, target)
    else {
      const { status, code, message } = target.refusal
      send(response, status, { error: { code, message } })
    }
  })
  return {
    async accept(socket, target, refusal) {
      const secureContext = await contextOf(target.host)
      const secure = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] })
      // A program that doesn't trust the certificate closes the connection.
      secure.on('error', () => socket.destroy())
      targets.set(secure, { ...target, refusal })
      server.emit('connection', secure)
    },
    respond,
    close: () => server.closeAllConnections(),
  }
}

/** Without the profile's tenant, because a program may sign in to several ones. A federation service has only one. */
function anyTenantOf(profile: CloudProfile): Pick<CloudProfile, 'authorityHost' | 'tenantId'> {
  const { authorityHost } = profile
  return identityProviderOf(profile).kind === 'federation-service' ? profile : { authorityHost }
}

/** An OAuth error (RFC 6749, section 5.2). The request is refused because it may contain a secret of the profile's cloud. */
function oauthError({ name, authorityHost }: CloudProfile, { host }: Target, prefix: string) {
  return {
    error: 'invalid_request',
    error_description: `${prefix}This request was for ${host}, but cloud-profile runs this program in ${name}: set its authority to ${authorityHost}. The request did not leave this machine.`,
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  })
  response.end(text)
}
