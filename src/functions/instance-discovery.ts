import { hostnameOf } from '../lib/base/address.ts'
import { publicAuthority } from '../lib/clouds/known-clouds.ts'
import type { CloudProfile } from '../lib/profile/cloud-profile.ts'
import { identityProviderOf } from '../lib/profile/identity-provider.ts'
import { tenantPattern } from '../lib/profile/patterns.ts'
import { isPlaceholder } from '../lib/profile/placeholders.ts'
import type { Service } from '../lib/service/service.ts'
import { httpFunction, json, type DescribedFunction, type Operation } from './http-function.ts'

const openApi: Operation = {
  summary:
    'What the public instance discovery would say about the login authority; only with PLATFORM_SERVE_METADATA=true',
  parameters: [
    {
      name: 'authorization_endpoint',
      in: 'query',
      required: true,
      description: 'An address of the login authority, with a tenant.',
      schema: { type: 'string' },
    },
  ],
  responses: {
    200: {
      description: 'The login authority is that of the profile.',
      types: ['application/json'],
      schema: 'InstanceDiscovery',
    },
    400: {
      description: 'The address is another one. The body is empty if the target or host of the request is invalid.',
      types: ['application/json'],
      schema: 'InvalidInstance',
    },
  },
}

/**
 * GET `/common/discovery/instance`: the response of the public instance discovery, but for the login authority of the profile, for clients
 * that cannot skip it. Anonymous, because clients call it before they sign in. An operator lets the public name resolve to this service:
 * docs/instance-discovery.md.
 */
export function instanceDiscoveryFunction({ cloud: { profile } }: Service): DescribedFunction {
  return httpFunction({
    name: 'instanceDiscovery',
    path: 'common/discovery/instance',
    authLevel: 'anonymous',
    openApi,
    async handle({ query }) {
      const requested = query['authorization_endpoint'] ?? ''
      const { host } = new URL(profile.authorityHost)
      const metadata = [{ preferred_network: host, preferred_cache: host, aliases: [host] }]
      if (requested === everyInstance) return json({ 'api-version': '1.1', metadata })
      const endpoint = openIdConfigurationFor(profile, requested)
      if (endpoint === undefined) return json(invalidInstance, { status: 400 })
      return json({ tenant_discovery_endpoint: endpoint.href, 'api-version': '1.1', metadata })
    },
  })
}

/**
 * The request of MSAL for Python for the aliases of all authorities: it reads `metadata` alone, and fails on an error. The response does
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
function openIdConfigurationFor(profile: CloudProfile, authorizationEndpoint: string): URL | undefined {
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
