import { hostnameOf } from '../../lib/base/address.ts'
import { publicAuthority } from '../../lib/clouds/known-clouds.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { identityProviderOf, sharedTenants } from '../../lib/profile/identity-provider.ts'
import { tenantPattern } from '../../lib/base/names.ts'
import { isPlaceholder } from '../../lib/profile/field-path.ts'

/** The response of instance discovery to one request. */
export interface DiscoveryResponse {
  readonly status: 200 | 400
  readonly body: unknown
}

/**
 * Responds as the public instance discovery does, for the login authority of a profile.
 *
 * @param requested The parameter `authorization_endpoint` of the request.
 */
export function respondToDiscovery(
  profile: Pick<CloudProfile, 'authorityHost' | 'tenantId'>,
  requested: string,
): DiscoveryResponse {
  const { host } = new URL(profile.authorityHost)
  const metadata = [{ preferred_network: host, preferred_cache: host, aliases: [host] }]
  if (requested === everyInstance) return { status: 200, body: { 'api-version': '1.1', metadata } }
  const endpoint = openIdConfigurationFor(profile, requested)
  if (endpoint === undefined) return { status: 400, body: invalidInstance }
  return { status: 200, body: { tenant_discovery_endpoint: endpoint.href, 'api-version': '1.1', metadata } }
}

/**
 * MSAL for Python requests the aliases of all authorities with this address. It reads only `metadata`, and fails on an error response. Other
 * libraries reject the response, because it doesn't describe the authority.
 */
const everyInstance = `${publicAuthority}common/oauth2/authorize`

/** The error of the public instance discovery: programs look for `invalid_instance`, people for the number. */
const invalidInstance = {
  error: 'invalid_instance',
  error_description:
    'AADSTS50049: Unknown or invalid instance. This service describes the login authority and the tenant of its profile only.',
  error_codes: [50049],
} as const

/** The OpenID configuration of a tenant of the profile's authority; `undefined` for another authority or another tenant. */
function openIdConfigurationFor(
  profile: Pick<CloudProfile, 'authorityHost' | 'tenantId'>,
  authorizationEndpoint: string,
): URL | undefined {
  const url = URL.parse(authorizationEndpoint)
  const provider = identityProviderOf(profile)
  const authority = new URL(provider.authorityUrl)
  if (url === null || !isAt(url, authority) || isPlaceholder(provider.authorityUrl)) return undefined
  // A federation service has no tenants.
  if (provider.kind === 'federation-service') return provider.openIdConfigurationUrl
  const [tenant = ''] = url.pathname.slice(authority.pathname.length).split('/')
  if (!tenantPattern.test(tenant)) return undefined
  const { tenantId = tenant } = provider
  const isOwn = [tenantId.toLowerCase(), ...sharedTenants].includes(tenant.toLowerCase())
  return isOwn ? identityProviderOf(profile, tenant).openIdConfigurationUrl : undefined
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
