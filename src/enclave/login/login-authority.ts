import type { Directory } from '../directory.ts'
import { type Answer, type EnclaveRequest, type PathParameters, type Route, json } from '../http/route.ts'
import { openIdConfiguration } from './addresses.ts'
import { showApprovalPage, takeDecision } from './device-codes.ts'
import { LoginError, injectedError, loginErrorAnswer } from './login-error.ts'
import { type LoginContext, answerDeviceCodeRequest, answerTokenRequest } from './token-endpoint.ts'

export type LoginHandler = (request: EnclaveRequest, parameters: PathParameters) => Answer | Promise<Answer>

/** Names in the place of a tenant that stand for every tenant. */
const tenantIndependent: ReadonlySet<string> = new Set(['common', 'organizations'])

export type LoginHandlers = ReturnType<typeof createLoginHandlers>

/** The handlers of a login authority; the two kinds of authority serve them at different paths. */
export function createLoginHandlers(options: LoginContext) {
  const { directory, deviceCodes, origin } = options
  const guarded = guard(options)
  return {
    openIdConfiguration: guarded((_, { tenant = directory.tenantId }) => {
      const injected = options.faults.find('aadsts', 'login/openid-configuration')
      if (injected) throw injectedError(injected)
      const issuerTenant = tenantIndependent.has(tenant) ? '{tenantid}' : directory.tenantId
      return json(200, openIdConfiguration({ ...options, tenant, issuerTenant, cloud: options.cloudClaims }))
    }),
    keys: guarded(() => json(200, { keys: [options.key.publicJwk] })),
    token: guarded((request) => answerTokenRequest(request, options)),
    deviceCode: guarded((request) => answerDeviceCodeRequest(request, options)),
    showApproval: (request: EnclaveRequest) => showApprovalPage(request, deviceCodes),
    takeDecision: (request: EnclaveRequest) => takeDecision(request, deviceCodes, origin),
    authorize: () => json(501, { error: 'unsupported', error_description: 'The enclave has no interactive sign-in.' }),
  }
}

/** Refuses an unknown tenant, and turns a refusal into its answer. */
function guard({ directory, federationService, now }: LoginContext): (handler: LoginHandler) => LoginHandler {
  return (handler) => async (request, parameters) => {
    try {
      const { tenant } = parameters
      if (tenant !== undefined && !tenantIndependent.has(tenant) && !directory.isTenant(tenant)) {
        throw new LoginError(90002, `Tenant: '${tenant}'.`)
      }
      return await handler(request, parameters)
    } catch (error) {
      if (!(error instanceof LoginError)) throw error
      const id = request.headers['client-request-id']
      const correlationId = typeof id === 'string' ? id : undefined
      return loginErrorAnswer(error, { federationService, now, correlationId })
    }
  }
}

/** The paths of the usual, tenanted login authority. */
export function tenantedRoutes(handlers: LoginHandlers, options: LoginContext): readonly Route[] {
  const get = (path: string, handle: LoginHandler, step?: Route['step']): Route => ({
    method: 'GET',
    path,
    handle,
    ...(step && { step }),
  })
  return [
    get('/common/discovery/instance', (request) => discoverInstance(request, options)),
    get('/common/userrealm/{username}', (_, { username = '' }) => json(200, userRealm(username, options.directory))),
    get('/common/oauth2/deviceauth', handlers.showApproval),
    { method: 'POST', path: '/common/oauth2/deviceauth', handle: handlers.takeDecision },
    get('/{tenant}/v2.0/.well-known/openid-configuration', handlers.openIdConfiguration, 'login/openid-configuration'),
    get('/{tenant}/.well-known/openid-configuration', handlers.openIdConfiguration, 'login/openid-configuration'),
    get('/{tenant}/discovery/v2.0/keys', handlers.keys),
    get('/{tenant}/oauth2/v2.0/authorize', handlers.authorize),
    { method: 'POST', path: '/{tenant}/oauth2/v2.0/token', step: 'login/token', handle: handlers.token },
    { method: 'POST', path: '/{tenant}/oauth2/token', step: 'login/token', handle: handlers.token },
    {
      method: 'POST',
      path: '/{tenant}/oauth2/v2.0/devicecode',
      step: 'login/device-code',
      handle: handlers.deviceCode,
    },
  ]
}

// cloud-profile-ignore: what MSAL for Python asks for when it wants the aliases of all authorities
const everyInstance = 'https://login.microsoftonline.com/common/oauth2/authorize'

/** Answers for its own address and tenant alone: no list of public instances names a private authority. */
function discoverInstance(request: EnclaveRequest, context: LoginContext): Answer {
  const { addresses, origin, now, discovery, directory } = context
  const asked = request.query.get('authorization_endpoint') ?? ''
  const { host } = new URL(origin)
  const metadata = discovery ? [{ preferred_network: host, preferred_cache: host, aliases: [host] }] : []
  if (discovery && asked === everyInstance) return json(200, { 'api-version': '1.1', metadata })
  const isOwn = asked.startsWith(addresses.authorityHost)
  const [tenant = ''] = isOwn ? asked.slice(addresses.authorityHost.length).split('/') : []
  if (!tenantIndependent.has(tenant) && !directory.isTenant(tenant)) {
    const id = request.headers['client-request-id']
    const correlationId = typeof id === 'string' ? id : undefined
    return loginErrorAnswer(new LoginError(50049), { federationService: false, now, correlationId })
  }
  return json(200, {
    tenant_discovery_endpoint: `${origin}/${tenant}/v2.0/.well-known/openid-configuration`,
    'api-version': '1.1',
    metadata,
  })
}

function userRealm(username: string, directory: Directory): Record<string, string> {
  return {
    ver: '1.0',
    account_type: 'Managed',
    domain_name: username.split('@')[1] ?? directory.domain,
    cloud_instance_name: directory.domain,
    cloud_audience_urn: 'urn:federation:MicrosoftOnline',
  }
}

/** The paths of a federation service (AD FS): one directory, so no tenant in any of them. */
export function federationRoutes(handlers: LoginHandlers, { origin }: LoginContext): readonly Route[] {
  return [
    { method: 'GET', path: '/.well-known/webfinger', handle: (request) => webfinger(request, origin) },
    {
      method: 'GET',
      path: '/adfs/.well-known/openid-configuration',
      step: 'login/openid-configuration',
      handle: handlers.openIdConfiguration,
    },
    { method: 'GET', path: '/adfs/discovery/keys', handle: handlers.keys },
    { method: 'GET', path: '/adfs/oauth2/authorize', handle: handlers.authorize },
    { method: 'POST', path: '/adfs/oauth2/token', step: 'login/token', handle: handlers.token },
    { method: 'POST', path: '/adfs/oauth2/devicecode', step: 'login/device-code', handle: handlers.deviceCode },
    { method: 'GET', path: '/adfs/oauth2/deviceauth', handle: handlers.showApproval },
    { method: 'POST', path: '/adfs/oauth2/deviceauth', handle: handlers.takeDecision },
  ]
}

/** Confirms that the service issues for its own authority. MSAL asks before it trusts one. */
function webfinger({ query }: EnclaveRequest, origin: string): Answer {
  const resource = query.get('resource') ?? ''
  const rel = 'http://schemas.microsoft.com/rel/trusted-realm'
  if (resource !== origin && !resource.startsWith(`${origin}/`)) return json(404, { error: 'unknown_resource' })
  return json(200, { subject: resource, links: [{ rel, href: resource }] })
}
