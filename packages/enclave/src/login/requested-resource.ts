import type { Directory } from '../directory.ts'
import { LoginError, unknownResource } from './login-error.ts'

const openIdScopes = new Set(['openid', 'profile', 'email', 'offline_access'])

export interface RequestedResource {
  /** The scope without `.default`, which becomes `aud`. */
  readonly audience: string
  /** The requested scopes of the resource, unchanged. */
  readonly scope: string
  readonly openIdScopes: ReadonlySet<string>
}

/**
 * Reads the requested audience. `https://x/.default` and `https://x//.default` in `scope` both give `https://x/`. The older `resource` is the
 * audience unchanged.
 *
 * @throws {LoginError} 900144 without both, 70011 for a scope that isn't exactly one resource, 500011 for an unknown resource.
 */
export function requestedResource(
  form: ReadonlyMap<string, string>,
  { directory, federationService }: { readonly directory: Directory; readonly federationService: boolean },
): RequestedResource {
  const resource = form.get('resource')
  const scopes = (form.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
  const requested = scopes.filter((scope) => !openIdScopes.has(scope))
  if (resource === undefined && scopes.length === 0) throw new LoginError(900144, "Parameter: 'scope'.")
  const parsed = requested.map((scope) => parseScope(scope, federationService, directory))
  const [audience, ...others] = resource === undefined ? new Set(parsed.map((each) => each.audience)) : [resource]
  if (audience === undefined || others.length > 0) {
    throw new LoginError(70011, 'Request the scopes of exactly one resource.')
  }
  if (!directory.hasAudience(audience)) throw unknownResource(audience, directory)
  return {
    audience,
    scope: resource === undefined ? requested.join(' ') : `${audience}.default`,
    openIdScopes: new Set([
      ...scopes.filter((scope) => openIdScopes.has(scope)),
      ...(parsed.some(({ permission }) => permission === 'openid') ? ['openid'] : []),
    ]),
  }
}

function parseScope(scope: string, federationService: boolean, { adviceOn }: Directory) {
  // The Azure SDK for C++ sends only the identifier to a federation service.
  if (federationService && URL.canParse(scope) && !/\/(?:\.default|user_impersonation|openid)$/.test(scope))
    return { audience: scope, permission: undefined }
  const [, audience = '', permission] = /^(.*\/)(\.default|user_impersonation|openid)$/.exec(scope) ?? []
  const isApplication = /^[\da-f-]{36}\/$/i.test(audience)
  const isAudience = isApplication || URL.canParse(audience)
  if (!isAudience || (permission === 'openid' && !federationService))
    throw new LoginError(70011, `The scope '${scope}' must be an audience followed by '.default'.${adviceOn(scope)}`)
  // Az PowerShell appends `/openid` for a federation service. An identifier with two final slashes is unknown to it.
  // In tokens, the identifier of an application has no final slash.
  if (isApplication || audience.startsWith('api://')) return { audience: audience.replace(/\/$/, ''), permission }
  return { audience: permission === 'openid' ? audience : audience.replace(/\/\/$/, '/'), permission }
}
