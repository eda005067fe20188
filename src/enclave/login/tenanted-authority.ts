import type { Directory } from '../directory.ts'
import { type Answer, type EnclaveRequest, json } from '../http/answer.ts'
import type { Route } from '../http/route.ts'
import { LoginError, loginErrorAnswer } from './login-error.ts'
import type { LoginContext } from './login-context.ts'
import { tenantIndependent, type LoginHandler, type LoginHandlers } from './login-handlers.ts'

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
