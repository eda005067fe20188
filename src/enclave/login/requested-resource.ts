import type { Directory } from '../directory.ts'
import { LoginError } from './login-error.ts'

const openIdScopes = new Set(['openid', 'profile', 'email', 'offline_access'])

/** The resource and OpenID scopes of a token request. */
export interface RequestedResource {
  /** The scope without `.default`: the future `aud`. */
  readonly audience: string
  readonly openIdScopes: ReadonlySet<string>
}

/**
 * Reads `scope`, or the older `resource`, of a token request.
 *
 * `https://x/.default` and `https://x//.default` both give `https://x/`; a `resource` is echoed as it was sent.
 *
 * @throws {LoginError} 900144 when neither is there, 70011 for a scope that is not one resource, 500011 for an unknown one.
 */
export function requestedResource(form: ReadonlyMap<string, string>, directory: Directory): RequestedResource {
  const resource = form.get('resource')
  const scopes = (form.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
  const requested = scopes.filter((scope) => !openIdScopes.has(scope))
  if (resource === undefined && scopes.length === 0) throw new LoginError(900144, "Parameter: 'scope'.")
  const [audience, ...others] = resource === undefined ? new Set(requested.map(audienceOf)) : [resource]
  if (audience === undefined || others.length > 0) {
    throw new LoginError(70011, 'Ask for the scopes of exactly one resource.')
  }
  if (!directory.hasAudience(audience)) throw new LoginError(500011, `Resource: '${audience}'.`)
  return { audience, openIdScopes: new Set(scopes.filter((scope) => openIdScopes.has(scope))) }
}

function audienceOf(scope: string): string {
  const audience = /^(.*\/)(?:\.default|user_impersonation)$/.exec(scope)?.[1]
  if (audience === undefined || !URL.canParse(audience)) {
    throw new LoginError(70011, `The scope '${scope}' must be an audience followed by '.default'.`)
  }
  return audience.replace(/\/\/$/, '/')
}
