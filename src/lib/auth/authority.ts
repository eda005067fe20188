import { isGuid } from '../base/names.ts'
import { showValue } from '../base/printable.ts'
import { ServiceError } from '../errors.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { tenantPattern } from '../base/names.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { namedTenant } from '../settings/credential-values.ts'

/** Where and as which tenant a credential signs in. */
export interface Authority {
  /** An https URL, normalized, with a final slash unless the tenant is part of it. */
  readonly authorityHost: string
  readonly tenantId: string
  readonly disableInstanceDiscovery: boolean
}

/**
 * The authority of a tenant in the form that the credential library handles correctly. The library drops a tenant that is a suffix of the
 * host (`enclave.test` of `login.enclave.test`), unless the authority ends with it, so it is added here.
 *
 * @throws {ServiceError} `SETTING_INVALID` for a tenant that could change the URL.
 */
export function createAuthority(authorityHost: string, tenantId: string): Authority {
  if (!tenantPattern.test(tenantId)) {
    throw new ServiceError('SETTING_INVALID', `PLATFORM_TENANT_ID must be a tenant, but is ${showValue(tenantId)}`)
  }
  const { authorityHost: host, disableInstanceDiscovery, ...provider } = identityProviderOf({ authorityHost, tenantId })
  const given = provider.kind === 'multi-tenant' && endsWithTenant(host, tenantId) ? `${host}${tenantId}` : host
  return { authorityHost: given, tenantId: provider.tenantId ?? tenantId, disableInstanceDiscovery }
}

/** The tenant of the sign-in. */
export function tenantOf(
  profile: Pick<CloudProfile, 'tenantId' | 'authorityHost'>,
  settings: Parameters<typeof namedTenant>[0],
): string | undefined {
  return identityProviderOf(profile, namedTenant(settings)).tenantId
}

/** Whether the library takes the tenant for part of an authority. It tests with a regular expression, where a dot matches any character. */
function endsWithTenant(authority: string, tenantId: string): boolean {
  const end = authority.endsWith('/') ? authority.slice(0, -1) : authority
  const tail = end.slice(-tenantId.length)
  return tail.length === tenantId.length && tenantId.split('').every((sign, at) => sign === '.' || sign === tail[at])
}

/**
 * Checks the tenant of a call against the tenant of a credential. An SDK reads it from a challenge, so it may have other letter case, and be
 * the GUID of a domain name. The credential library compares the texts, and explains a difference as an invalid response.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` for another tenant: the sender of a challenge must not choose where the secret is sent.
 */
export function checkRequestedTenant(requested: string | undefined, own: string): void {
  if (requested === undefined || requested === '' || own === 'adfs') return
  if (typeof requested === 'string') {
    if (requested.toLowerCase() === own.toLowerCase()) return
    if (isGuid(requested) && !isGuid(own)) return
  }
  throw new ServiceError(
    'ARGUMENT_INVALID',
    `tenantId is ${showValue(requested)}, but this credential signs in to the tenant ${showValue(own)} only; create a credential of the other tenant`,
  )
}
