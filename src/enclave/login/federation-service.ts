import type { Route } from '../http/route.ts'
import type { LoginHandlers } from './login-handlers.ts'

/** The paths of a federation service (AD FS): one directory, so no tenant in any of them. */
export function federationRoutes(handlers: LoginHandlers): readonly Route[] {
  return [
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
