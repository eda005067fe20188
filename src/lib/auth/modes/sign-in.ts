import { showValue } from '../../base/show-value.ts'
import { ServiceError } from '../../errors.ts'
import type { CloudProfile } from '../../profile/cloud-profile.ts'
import { createAuthority, type Authority } from '../authority.ts'
import type { CredentialValues } from '../../settings/credential-values.ts'
import { tenantOf } from '../authority.ts'
import { requireAll } from './mode.ts'

/** Names for several tenants, which only a person can sign in with. The credential library refuses them without a reason. */
const shared: ReadonlySet<string> = new Set(['common', 'organizations', 'consumers'])
const ofApplications: ReadonlySet<string> = new Set(['clientSecret', 'clientCertificate', 'workloadIdentity'])

/** An application that signs in to the login authority. */
export interface SignIn {
  readonly authority: Authority
  readonly clientId: string
}

/**
 * The authority and the client, with what else a mode requires.
 *
 * @param values By the name of their variable.
 * @throws {ServiceError} `CREDENTIAL_SETTING_MISSING`, or `SETTING_INVALID` for a tenant that could change the URL.
 */
export function signInWith<T extends Readonly<Record<string, unknown>>>(
  profile: CloudProfile,
  settings: CredentialValues,
  values: T,
): readonly [SignIn, { readonly [K in keyof T]: Exclude<T[K], undefined> }] {
  const found = requireAll(settings, {
    PLATFORM_TENANT_ID: tenantOf(profile, settings),
    PLATFORM_CLIENT_ID: settings.clientId,
    ...values,
  })
  const { PLATFORM_TENANT_ID: tenantId, PLATFORM_CLIENT_ID: clientId } = found
  if (ofApplications.has(settings.authMode) && shared.has(tenantId.toLowerCase())) {
    const rule = `must be the GUID or a domain name of one tenant with AUTH_MODE=${settings.authMode}`
    throw new ServiceError('SETTING_INVALID', `The tenant ${rule}, but is ${showValue(tenantId)}`, {
      evidence: { sharedTenant: tenantId },
    })
  }
  return [{ authority: createAuthority(profile.authorityHost, tenantId), clientId }, found]
}
