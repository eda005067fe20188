import { isGuid } from '../base/names.ts'
import { showValue } from '../base/printable.ts'
import { knownCloudOfAuthority } from '../clouds/equal-values.ts'
import { ServiceError } from '../errors.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'

/** The values by which an application validates the tokens that its callers send. Data alone: the check of the signature is the caller's. */
export interface TokenValidation {
  /**
   * Every `iss` that an access token of this cloud may have. It differs from the issuer of the OpenID configuration: tokens of the first
   * version name another host, and a federation service signs access tokens under another name.
   *
   * @param tenantId GUID of the tenant whose tokens are accepted. Default is that of the profile. A federation service has one.
   * @throws {ServiceError} `ARGUMENT_INVALID` without a GUID: a token never names a domain name as its tenant.
   */
  issuers(tenantId?: string): string[]
  /**
   * Address of the signing keys (JWKS).
   *
   * @param tenantId Default is that of the profile, then `common`.
   */
  jwksUri(tenantId?: string): string
  /** Every `aud` that a token for an application may have. @param clientId Client (application) id of the application that validates. */
  audiences(clientId: string): string[]
}

/** How to validate the tokens that the login authority of a profile issues to others. */
export function tokenValidation(profile: CloudProfile): TokenValidation {
  const providerFor = (tenantId: string | undefined) => identityProviderOf(profile, tenantId ?? profile.tenantId)
  return {
    issuers(tenantId) {
      const { kind, authorityUrl, tenantId: tenant } = providerFor(tenantId)
      if (kind === 'federation-service') {
        const base = authorityUrl.replace(/\/$/, '')
        return [base, `${base.replace(/^https:/, 'http:')}/services/trust`]
      }
      if (tenant === undefined || !isGuid(tenant)) {
        throw new ServiceError('ARGUMENT_INVALID', `tenantId must be the GUID of a tenant, but is ${showValue(tenant)}`)
      }
      const aliases = knownCloudOfAuthority(authorityUrl)?.aliases?.issuers ?? []
      // Tokens of the first version name the security token service, and no version.
      const ofFirst = aliases.filter((issuer) => new URL(issuer).hostname.startsWith('sts.'))
      const lower = tenant.toLowerCase()
      return [`${authorityUrl}${lower}/v2.0`, ...ofFirst.map((issuer) => `${issuer}${lower}/`)]
    },
    jwksUri(tenantId) {
      const { kind, authorityUrl, tenantId: tenant = 'common' } = providerFor(tenantId)
      return kind === 'federation-service'
        ? `${authorityUrl}discovery/keys`
        : `${authorityUrl}${encodeURIComponent(tenant)}/discovery/v2.0/keys`
    },
    audiences(clientId) {
      const own = [clientId, `api://${clientId}`]
      return providerFor(undefined).kind === 'federation-service'
        ? [...own, `microsoft:identityserver:${clientId}`]
        : own
    },
  }
}
