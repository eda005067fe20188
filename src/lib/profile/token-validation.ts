import { isGuid } from '../base/names.ts'
import { showValue } from '../base/printable.ts'
import { ServiceError } from '../errors.ts'
import type { CloudProfile } from './cloud-profile.ts'
import { identityProviderOf } from './identity-provider.ts'
import { tenantPattern } from '../base/names.ts'

const isTenant = (tenant: string) => tenantPattern.test(tenant)

/** The values to validate tokens that callers send to the application. */
export interface TokenValidation {
  /**
   * Accepted values of the claim `iss`. That of an access token may differ from the issuer of the OpenID configuration.
   *
   * @param tenantId The tenant's GUID. Default is the tenantId of the profile. Ignored by a federation service.
   * @throws {ServiceError} `ARGUMENT_INVALID` without a GUID: an issuer contains it, never a domain name.
   */
  readonly issuers: (tenantId?: string) => readonly string[]
  /** Where the authority publishes its keys (JWKS). @param tenantId A GUID or domain name. Default is the tenantId of the profile. */
  readonly jwksUri: (tenantId?: string) => string
  /** Accepted values of the claim `aud` for an application: its client id, and its default identifier URI. */
  readonly audiences: (clientId: string) => readonly string[]
}

/** The values of the profile's identity provider. A federation service has no tenants, and an http URL as issuer of its access tokens. */
export function tokenValidation(profile: CloudProfile): TokenValidation {
  const { kind, authorityUrl } = identityProviderOf(profile)
  const audiences = (clientId: string) => [clientId, `api://${clientId}`]
  if (kind === 'federation-service') {
    const base = authorityUrl.replace(/\/$/, '')
    return {
      issuers: () => [base, `${base.replace(/^https:/, 'http:')}/services/trust`],
      jwksUri: () => `${base}/discovery/keys`,
      audiences,
    }
  }
  const others = profile.aliases?.issuers ?? [authorityUrl]
  return {
    issuers(tenantId = profile.tenantId) {
      const tenant = requireTenant(tenantId, isGuid, 'the GUID of a tenant')
      return [
        ...new Set([
          `${authorityUrl}${tenant}/v2.0`,
          ...others.flatMap((issuer) => [`${issuer}${tenant}/`, `${issuer}${tenant}/v2.0`]),
        ]),
      ]
    },
    jwksUri: (tenantId = profile.tenantId) =>
      `${authorityUrl}${requireTenant(tenantId, isTenant, 'a tenant')}/discovery/v2.0/keys`,
    audiences,
  }
}

function requireTenant(tenantId: string | undefined, isValid: (tenant: string) => boolean, what: string): string {
  if (typeof tenantId === 'string' && isValid(tenantId)) return tenantId.toLowerCase()
  throw new ServiceError('ARGUMENT_INVALID', `tenantId must be ${what}, but is ${showValue(tenantId)}`)
}
