import { type Answer, type EnclaveRequest, json } from '../http/answer.ts'
import type { Route } from '../http/route.ts'
import type { LoginContext } from './login-context.ts'
import type { LoginHandlers } from './login-handlers.ts'

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
