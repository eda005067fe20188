import { createAuthority, endsWithTenant } from '../../auth/authority.ts'

/**
 * Where the credential library reads the OpenID configuration of an authority.
 *
 * @throws {ServiceError} `SETTING_INVALID` for a tenant that could change the URL.
 */
export function openIdConfigurationUrl(authorityHost: string, tenantId: string): URL {
  const authority = createAuthority(authorityHost, tenantId)
  const base = new URL(authority.authorityHost)
  // The library leaves an authority alone that ends with the tenant.
  if (!endsWithTenant(base.href, authority.tenantId)) base.pathname += authority.tenantId
  const path = base.pathname.replace(/\/$/, '')
  const isFederationService = authority.tenantId === 'adfs'
  base.pathname = `${path}${isFederationService ? '' : '/v2.0'}/.well-known/openid-configuration`
  return base
}
