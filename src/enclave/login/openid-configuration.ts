import { type LoginAddresses, forTenant } from './login-addresses.ts'

export interface DocumentOptions {
  readonly addresses: LoginAddresses
  /** The tenant's segment of the request. */
  readonly tenant: string
  /** The tenant in the issuer: `{tenantid}` in the tenant-independent documents. */
  readonly issuerTenant: string
}

/** The OpenID configuration. */
export function openIdConfiguration(options: DocumentOptions): Record<string, unknown> {
  const { addresses, tenant, issuerTenant } = options
  return {
    token_endpoint: forTenant(addresses.tokenEndpoint, tenant),
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'],
    jwks_uri: forTenant(addresses.keys, tenant),
    response_modes_supported: ['query', 'fragment', 'form_post'],
    response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    issuer: forTenant(addresses.configurationIssuer, issuerTenant),
    authorization_endpoint: forTenant(addresses.authorizationEndpoint, tenant),
    device_authorization_endpoint: forTenant(addresses.deviceCodeEndpoint, tenant),
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'nbf', 'tid', 'oid', 'upn', 'name', 'ver'],
  }
}
