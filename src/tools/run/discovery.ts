import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket, type SecureContext, type SecureContextOptions } from 'node:tls'
import { hostnameOf, portOf } from '../../lib/base/address.ts'
import { tenantPattern } from '../../lib/base/names.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { publicAuthority } from '../../lib/clouds/known-clouds.ts'
import { isPlaceholder } from '../../lib/profile/field-path.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'

/** A host and port that the program named. */
export interface Target {
  readonly host: string
  readonly port: number
}

/** Without the final dot of a name. */
export const targetOf = (url: URL): Target => ({ host: hostnameOf(url).replace(/\.$/, ''), port: portOf(url) })

/** An error response in the form of the resource manager and vaults, so that SDKs show the message. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** Responds in place of other clouds' login hosts: to instance discovery as a public cloud does, to any other request with an error. */
export interface DiscoveryResponder {
  /** Responds on a connection that CONNECT opened. @param refusal The response to each request. Without it, the response is a login host's. */
  accept(socket: Socket, target: Target, refusal?: Refusal): Promise<void>
  /** Responds to a request without TLS. */
  respond(request: IncomingMessage, response: ServerResponse, target: Target): void
  close(): void
}

/** @param onRefused Called for a request other than instance discovery, which never leaves this machine. @param prefix Begins each error description. */
export function createDiscoveryResponder(
  profile: CloudProfile,
  identityOf: (host: string) => Promise<SecureContextOptions>,
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
    if (request.method === 'GET' && url?.pathname === '/common/discovery/instance') {
      const body = discoveryOf(profile, url.searchParams.get('authorization_endpoint') ?? '')
      return send(response, body === invalidInstance ? 400 : 200, body)
    }
    onRefused(target)
    // An OAuth error (RFC 6749, section 5.2). The request is refused because it may contain a secret of the profile's cloud.
    const text = `This request was for ${target.host}, but cloud-profile runs this program in ${profile.name}: set its authority to ${profile.authorityHost}. The request did not leave this machine.`
    return send(response, 400, { error: 'invalid_request', error_description: `${prefix}${text}` })
  }
  const server = createServer((request, response) => {
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

/** What the public instance discovery would respond for the profile's authority. @param requested The parameter `authorization_endpoint`. */
function discoveryOf(profile: CloudProfile, requested: string): object {
  const { host } = new URL(profile.authorityHost)
  const metadata = [{ preferred_network: host, preferred_cache: host, aliases: [host] }]
  if (requested === everyInstance) return { 'api-version': '1.1', metadata }
  const endpoint = openIdConfigurationFor(profile, requested)
  if (endpoint === undefined) return invalidInstance
  return { tenant_discovery_endpoint: endpoint.href, 'api-version': '1.1', metadata }
}

/** MSAL for Python requests all aliases with this address, reads only `metadata`, and fails on an error. Other libraries reject the response. */
const everyInstance = `${publicAuthority}common/oauth2/authorize`

/** The error of the public instance discovery: programs look for `invalid_instance`, people for the number. */
const invalidInstance = {
  error: 'invalid_instance',
  error_description:
    'AADSTS50049: Unknown or invalid instance. This service describes the login authority and the tenant of its profile only.',
  error_codes: [50049],
} as const

/** The OpenID configuration of any tenant of the authority, because a program may sign in to several. `undefined` for another authority. */
function openIdConfigurationFor(profile: CloudProfile, authorizationEndpoint: string): URL | undefined {
  const url = URL.parse(authorizationEndpoint)
  const { kind, authorityUrl, openIdConfigurationUrl } = identityProviderOf(profile)
  const authority = new URL(authorityUrl)
  if (url === null || !isAt(url, authority) || isPlaceholder(authorityUrl)) return undefined
  // A federation service has no tenants.
  if (kind === 'federation-service') return openIdConfigurationUrl
  const [tenant = ''] = url.pathname.slice(authority.pathname.length).split('/')
  return tenantPattern.test(tenant) ? identityProviderOf(profile, tenant).openIdConfigurationUrl : undefined
}

/** Whether a URL is below the authority. Some clients omit the port of the authority. */
function isAt(url: URL, authority: URL): boolean {
  return (
    url.protocol === authority.protocol &&
    hostnameOf(url) === hostnameOf(authority) &&
    (url.port === '' || url.port === authority.port) &&
    `${url.username}${url.password}` === '' &&
    url.pathname.toLowerCase().startsWith(authority.pathname.toLowerCase())
  )
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
