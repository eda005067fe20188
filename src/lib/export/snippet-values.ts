import type { CloudProfile } from '../profile/cloud-profile.ts'
import { shouldDisableInstanceDiscovery } from '../profile/instance-discovery.ts'
import { scopeFor } from '../profile/scope.ts'
import { authorityWithoutTenant } from '../profile/tool-values.ts'

/** What a program in any language needs to know of a cloud. */
export interface SnippetValues {
  readonly authority: string
  readonly disableInstanceDiscovery: boolean
  readonly resourceManagerEndpoint: string
  readonly resourceManagerScope: string
  readonly storageScope: string
  readonly keyVaultScope: string
  /** Used when PLATFORM_TENANT_ID is not set. */
  readonly tenantId: string
}

export function snippetValues(profile: CloudProfile): SnippetValues {
  return {
    authority: authorityWithoutTenant(profile),
    disableInstanceDiscovery: shouldDisableInstanceDiscovery(profile.authorityHost),
    resourceManagerEndpoint: profile.resourceManagerEndpoint,
    resourceManagerScope: scopeFor(profile.resourceManagerAudience),
    storageScope: scopeFor(profile.serviceAudiences.storage),
    keyVaultScope: scopeFor(profile.serviceAudiences.keyVault),
    tenantId: profile.tenantId ?? '',
  }
}
