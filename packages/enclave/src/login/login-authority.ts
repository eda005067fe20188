import type { Context } from '../context.ts'
import type { EnclaveRequest, EnclaveResponse, Handler, Route, Step } from '../http/exchange.ts'
import { json } from '../http/exchange.ts'
import type { LoginAddresses } from '../named-cloud.ts'
import { showApprovalPage, takeDecision } from './device-codes.ts'
import { LoginError, loginErrorResponse } from './login-error.ts'
import { respondToDeviceCodeRequest, respondToTokenRequest } from './token-endpoint.ts'

/** Names for a path without a tenant. */
const tenantIndependent: ReadonlySet<string> = new Set(['common', 'organizations'])

type Row = readonly [endpoint: keyof LoginAddresses['paths'], method: 'GET' | 'POST', handle: Handler, step?: Step]

/** The routes of the login authority. Both kinds of identity provider have the same endpoints, at different paths. */
export function loginRoutes(context: Context): readonly Route[] {
  const { addresses, deviceCodes } = context
  const rows: readonly Row[] = [
    ['instance', 'GET', (request) => discoverInstance(request, context)],
    ['userRealm', 'GET', ({ parameters: { username = '' } }) => userRealm(username, context.directory.domain)],
    ['webfinger', 'GET', (request) => webfinger(request, addresses.origin)],
    [
      'configuration',
      'GET',
      ({ path, parameters: { tenant } }) => openIdConfiguration(tenant, path.includes('/v2.0/') ? 2 : 1, context),
      'login/openid-configuration',
    ],
    ['keys', 'GET', () => json(200, { keys: [context.key.publicJwk] })],
    ['token', 'POST', (request) => respondToTokenRequest(request, context), 'login/token'],
    ['deviceCode', 'POST', (request) => respondToDeviceCodeRequest(request, context), 'login/device-code'],
    ['approval', 'GET', (request) => showApprovalPage(request, deviceCodes)],
    ['approval', 'POST', (request) => takeDecision(request, deviceCodes, addresses.origin)],
    ['authorize', 'GET', () => json(501, { error: 'unsupported', error_description: 'No interactive sign-in.' })],
  ]
  const routes = rows.flatMap(([endpoint, method, handle, step]) =>
    (addresses.paths[endpoint] ?? []).map((path) => ({ method, path, step, handle: guard(handle, step, context) })),
  )
  return [...routes, { method: '*', path: '/adfs/oauth2/v2.0/{endpoint}', handle: () => json(404, noVersion2) }]
}

/** For clients that don't support federation services (AD FS) and append `v2.0` to the address. */
const noVersion2 = { error: 'not_found', error_description: 'AD FS has no version 2.0: use /adfs/oauth2/token.' }

/** Refuses an unknown tenant, and converts a `LoginError` to a response. */
function guard(handle: Handler, step: Step | undefined, context: Context): Handler {
  const { directory, faults } = context
  return async (request) => {
    try {
      const injected = step && faults.find('aadsts', step)
      if (injected) throw new LoginError(injected.number ?? 90033, '', injected)
      const { tenant } = request.parameters
      if (tenant !== undefined && !tenantIndependent.has(tenant) && !directory.isTenant(tenant)) {
        throw new LoginError(90002, `Tenant: '${tenant}'.`)
      }
      return await handle(request)
    } catch (error) {
      if (error instanceof LoginError) return loginErrorResponse(error, request, context)
      throw error
    }
  }
}

function openIdConfiguration(
  requested: string | undefined,
  version: 1 | 2,
  { addresses, directory, cloudClaims }: Context,
): EnclaveResponse {
  const tenant = requested ?? directory.tenantId
  return json(200, {
    token_endpoint: addresses.of('token', tenant, version),
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    jwks_uri: addresses.of('keys', tenant, version),
    response_modes_supported: ['query', 'fragment', 'form_post'],
    response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    // A configuration for every tenant has a placeholder.
    issuer: addresses.configurationIssuer(tenantIndependent.has(tenant) ? '{tenantid}' : directory.tenantId, version),
    authorization_endpoint: addresses.of('authorize', tenant, version),
    device_authorization_endpoint: addresses.of('deviceCode', tenant, version),
    ...cloudClaims,
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'nbf', 'tid', 'oid', 'upn', 'name', 'ver'],
  })
}

// cloud-profile-ignore: MSAL for Python requests this for the aliases of all authorities
const everyInstance = 'https://login.microsoftonline.com/common/oauth2/authorize'

/** Confirms only the address and tenants of this authority, because no public list contains a private authority. */
function discoverInstance({ query }: EnclaveRequest, { addresses, discovery, directory }: Context): EnclaveResponse {
  const { authorityHost, origin } = addresses
  const endpoint = query.get('authorization_endpoint') ?? ''
  const { host } = new URL(origin)
  const metadata = discovery ? [{ preferred_network: host, preferred_cache: host, aliases: [host] }] : []
  if (discovery && endpoint === everyInstance) return json(200, { 'api-version': '1.1', metadata })
  const [tenant = ''] = endpoint.startsWith(authorityHost) ? endpoint.slice(authorityHost.length).split('/') : []
  if (!tenantIndependent.has(tenant) && !directory.isTenant(tenant)) throw new LoginError(50049)
  return json(200, {
    tenant_discovery_endpoint: `${origin}/${tenant}/v2.0/.well-known/openid-configuration`,
    'api-version': '1.1',
    metadata,
  })
}

function userRealm(username: string, domain: string): EnclaveResponse {
  const cloud = { cloud_instance_name: domain, cloud_audience_urn: 'urn:federation:MicrosoftOnline' }
  return json(200, { ver: '1.0', account_type: 'Managed', domain_name: username.split('@')[1] ?? domain, ...cloud })
}

/** Confirms that a federation service issues tokens for its authority. MSAL checks this before it trusts a federation service. */
function webfinger({ query }: EnclaveRequest, origin: string): EnclaveResponse {
  const resource = query.get('resource') ?? ''
  const rel = 'http://schemas.microsoft.com/rel/trusted-realm'
  if (resource !== origin && !resource.startsWith(`${origin}/`)) return json(404, { error: 'unknown_resource' })
  return json(200, { subject: resource, links: [{ rel, href: resource }] })
}
