import { ServiceError } from '../errors.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { tenantPattern } from '../profile/patterns.ts'
import { showValue } from '../base/show-value.ts'

/** Where and as which tenant a credential signs in. */
export interface Authority {
  /** As the credential library takes it: https, normalised, with a final slash unless the tenant is part of it. */
  readonly authorityHost: string
  readonly tenantId: string
  readonly disableInstanceDiscovery: boolean
}

/**
 * Turns a profile's authority host and a tenant into what the credential library gets right. Its traps:
 *
 * - An explicit `:443` breaks it, so the URL is normalised.
 * - A federation service has one tenant, `adfs` in lower case, and a path `/adfs/` in lower case. With a GUID there the
 *   library asks wrong paths.
 * - A tenant that is a suffix of the host (`enclave.test` of `login.enclave.test`) is taken for already present and
 *   dropped; the library leaves an authority alone that ends with the tenant, so it is added here.
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

/** Whether the library takes the tenant for part of an authority already. It looks with an expression: a dot stands for any sign there. */
function endsWithTenant(authority: string, tenantId: string): boolean {
  const end = authority.endsWith('/') ? authority.slice(0, -1) : authority
  const tail = end.slice(-tenantId.length)
  return tail.length === tenantId.length && tenantId.split('').every((sign, at) => sign === '.' || sign === tail[at])
}
