import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import type { CredentialSettings } from './credential-settings.ts'
import { workloadOf } from './detect-auth-mode.ts'

type TenantSettings = Pick<CredentialSettings, 'authMode' | 'tenantId' | 'clientId' | 'federatedTokenFile' | 'injected'>

/** The tenant that the settings name for the mode. */
export function namedTenant(settings: TenantSettings): string | undefined {
  return settings.authMode === 'workloadIdentity' ? workloadOf(settings).tenantId : settings.tenantId
}

/** The tenant of the sign-in. */
export function tenantOf(
  profile: Pick<CloudProfile, 'tenantId' | 'authorityHost'>,
  settings: TenantSettings,
): string | undefined {
  return identityProviderOf(profile, namedTenant(settings)).tenantId
}
