/** The addresses of a login authority. `{tenant}` stands for the tenant's segment. */
export interface LoginAddresses {
  /** The `authorityHost` of a profile. Ends with `/`. */
  readonly authorityHost: string
  /** `iss` of access tokens. */
  readonly accessTokenIssuer: string
  readonly configurationIssuer: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly deviceCodeEndpoint: string
  readonly approvalPage: string
  readonly keys: string
}

/** The addresses of the usual, tenanted authority. */
export function tenantedAddresses(origin: string, accessTokenIssuer: string): LoginAddresses {
  const base = `${origin}/{tenant}`
  return {
    authorityHost: `${origin}/`,
    accessTokenIssuer,
    configurationIssuer: `${base}/v2.0`,
    authorizationEndpoint: `${base}/oauth2/v2.0/authorize`,
    tokenEndpoint: `${base}/oauth2/v2.0/token`,
    deviceCodeEndpoint: `${base}/oauth2/v2.0/devicecode`,
    approvalPage: `${origin}/common/oauth2/deviceauth`,
    keys: `${base}/discovery/v2.0/keys`,
  }
}

/** The addresses of a federation service (AD FS), which has no tenants. */
export function federationAddresses(origin: string): LoginAddresses {
  const base = `${origin}/adfs`
  return {
    authorityHost: `${base}/`,
    // The identifier of a federation service is an http URL. Nothing is served there.
    accessTokenIssuer: `${base.replace('https:', 'http:')}/services/trust`,
    configurationIssuer: base,
    authorizationEndpoint: `${base}/oauth2/authorize`,
    tokenEndpoint: `${base}/oauth2/token`,
    deviceCodeEndpoint: `${base}/oauth2/devicecode`,
    approvalPage: `${base}/oauth2/deviceauth`,
    keys: `${base}/discovery/keys`,
  }
}

/** The address for one tenant. */
export function forTenant(address: string, tenant: string): string {
  return address.replace('{tenant}', tenant)
}

export interface DocumentOptions {
  readonly addresses: LoginAddresses
  /** The tenant's segment of the request. */
  readonly tenant: string
  /** The tenant in the issuer: `{tenantid}` in the tenant-independent documents. */
  readonly issuerTenant: string
  /** What the document says about the cloud of the tenant. */
  readonly cloud?: Readonly<Record<string, string>>
}

/** The OpenID configuration. */
export function openIdConfiguration(options: DocumentOptions): Record<string, unknown> {
  const { addresses, tenant, issuerTenant, cloud = {} } = options
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
    ...cloud,
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'nbf', 'tid', 'oid', 'upn', 'name', 'ver'],
  }
}
