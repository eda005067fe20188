import type { CloudProfile } from '../profile/cloud-profile.ts'
import type { CredentialSettings } from './credential-settings.ts'
import { workloadOf } from './detect-auth-mode.ts'

/** Whether a path of an authority host is that of a federation service. */
export function isFederationService(pathname: string): boolean {
  return /\/adfs\/?$/i.test(pathname)
}

/**
 * The tenant that is signed in to: the one that the settings name for the mode, else the profile's, else the one tenant
 * that a federation service has.
 */
export function tenantOf(
  { tenantId, authorityHost }: Pick<CloudProfile, 'tenantId' | 'authorityHost'>,
  settings: Pick<CredentialSettings, 'authMode' | 'tenantId' | 'clientId' | 'federatedTokenFile' | 'injected'>,
): string | undefined {
  const named = settings.authMode === 'workloadIdentity' ? workloadOf(settings).tenantId : settings.tenantId
  return named ?? tenantId ?? (isFederationService(new URL(authorityHost).pathname) ? 'adfs' : undefined)
}
