import { isFederationService, issuerOf, type NamedCloud } from '../named-cloud.ts'

type Endpoint =
  | 'configuration'
  | 'authorize'
  | 'token'
  | 'deviceCode'
  | 'approval'
  | 'keys'
  | 'instance'
  | 'userRealm'
  | 'webfinger'

/** Paths by endpoint. The OpenID configuration names the first. `{tenant}` stands for the tenant's segment. */
type Paths = Readonly<Partial<Record<Endpoint, readonly [string, ...string[]]>>>

/** The usual, tenanted authority. */
const tenanted = {
  configuration: ['/{tenant}/v2.0/.well-known/openid-configuration', '/{tenant}/.well-known/openid-configuration'],
  authorize: ['/{tenant}/oauth2/v2.0/authorize'],
  token: ['/{tenant}/oauth2/v2.0/token', '/{tenant}/oauth2/token'],
  deviceCode: ['/{tenant}/oauth2/v2.0/devicecode'],
  approval: ['/common/oauth2/deviceauth'],
  keys: ['/{tenant}/discovery/v2.0/keys'],
  instance: ['/common/discovery/instance'],
  userRealm: ['/common/userrealm/{username}'],
} as const satisfies Paths

/** A federation service (AD FS): one directory, so no tenant in any of them. */
const federation = {
  configuration: ['/adfs/.well-known/openid-configuration'],
  authorize: ['/adfs/oauth2/authorize'],
  token: ['/adfs/oauth2/token'],
  deviceCode: ['/adfs/oauth2/devicecode'],
  approval: ['/adfs/oauth2/deviceauth'],
  keys: ['/adfs/discovery/keys'],
  webfinger: ['/.well-known/webfinger'],
} as const satisfies Paths

export type LoginAddresses = ReturnType<typeof loginAddresses>

/** The addresses of the login authority of a cloud. */
export function loginAddresses(cloud: NamedCloud, tenantId: string) {
  const { origin } = new URL(cloud.authorityHost)
  const isFederation = isFederationService(cloud)
  const paths = isFederation ? federation : tenanted
  return {
    origin,
    paths: paths as Paths,
    /** The `authorityHost` of a profile. Ends with `/`. */
    authorityHost: isFederation ? `${origin}/adfs/` : `${origin}/`,
    // The identifier of a federation service is an http URL. Nothing is served there.
    accessTokenIssuer: isFederation
      ? `${origin.replace('https:', 'http:')}/adfs/services/trust`
      : issuerOf(cloud, tenantId),
    configurationIssuer: (tenant: string) => (isFederation ? `${origin}/adfs` : `${origin}/${tenant}/v2.0`),
    /** The address of an endpoint for one tenant. */
    of: (endpoint: keyof typeof tenanted & keyof typeof federation, tenant: string): string =>
      origin + paths[endpoint][0].replace('{tenant}', tenant),
  }
}
