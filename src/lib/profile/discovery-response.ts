import { hostnameOf } from '../base/address.ts'
import { publicAuthority } from '../clouds/known-clouds.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'
import { identityProviderOf } from './identity-provider.ts'
import { tenantPattern } from '../base/names.ts'
import { isPlaceholder } from './field-path.ts'

/** The response of instance discovery to one request. */
export interface DiscoveryResponse {
  readonly status: 200 | 400
  readonly body: unknown
}

/**
 * Responds as the public instance discovery does, for the login authority of a profile.
 *
 * @param asked The parameter `authorization_endpoint` of the request.
 */
export function respondToDiscovery(
  profile: Pick<CloudProfile, 'authorityHost' | 'tenantId'>,
  asked: string,
): DiscoveryResponse {
  const { host } = new URL(profile.authorityHost)
  const metadata = [{ preferred_network: host, preferred_cache: host, aliases: [host] }]
  if (asked === everyInstance) return { status: 200, body: { 'api-version': '1.1', metadata } }
  const endpoint = openIdConfigurationFor(profile, asked)
  if (endpoint === undefined) return { status: 400, body: invalidInstance }
  return { status: 200, body: { tenant_discovery_endpoint: endpoint.href, 'api-version': '1.1', metadata } }
}

/**
 * The request of MSAL for Python for the aliases of all authorities: it reads only `metadata`, and fails on an error. The response does
 * not describe the authority, so the other libraries reject it.
 */
const everyInstance = `${publicAuthority}common/oauth2/authorize`

/** Code and title of the public instance discovery: clients look for `invalid_instance`, people for the number. */
const invalidInstance = {
  error: 'invalid_instance',
  error_description:
    'AADSTS50049: Unknown or invalid instance. This service describes the login authority and the tenant of its profile only.',
  error_codes: [50049],
} as const

/** Names that mean the tenant of the user. */
const anyTenant: ReadonlySet<string> = new Set(['common', 'organizations', 'consumers'])

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
  const isOwn = [tenantId.toLowerCase(), ...anyTenant].includes(tenant.toLowerCase())
  return isOwn ? identityProviderOf(profile, tenant).openIdConfigurationUrl : undefined
}

/** Whether a URL lies within the authority. Some clients leave the authority's port out. */
function isAt(url: URL, authority: URL): boolean {
  return (
    url.protocol === authority.protocol &&
    hostnameOf(url) === hostnameOf(authority) &&
    (url.port === '' || url.port === authority.port) &&
    `${url.username}${url.password}` === '' &&
    url.pathname.toLowerCase().startsWith(authority.pathname.toLowerCase())
  )
}
