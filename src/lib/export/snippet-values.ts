import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { scopeFor } from '../profile/scope.ts'

/** What a program in any language needs to know of a cloud. */
export interface SnippetValues {
  readonly authority: string
  readonly disableInstanceDiscovery: boolean
  readonly resourceManagerEndpoint: string
  readonly resourceManagerScope: string
  readonly storageScope: string
  readonly keyVaultScope: string
  /** What follows the name of a resource in its host name, with the leading dot. */
  readonly storageSuffix: string
  readonly keyVaultSuffix: string
  readonly sqlServerSuffix: string
  readonly containerRegistrySuffix: string
  /** Used when PLATFORM_TENANT_ID is not set. */
  readonly tenantId: string
}

export function snippetValues(profile: CloudProfile): SnippetValues {
  const { authorityBase, disableInstanceDiscovery, tenantId = '' } = identityProviderOf(profile)
  return {
    authority: authorityBase,
    disableInstanceDiscovery,
    resourceManagerEndpoint: profile.resourceManagerEndpoint,
    resourceManagerScope: scopeFor(profile.resourceManagerAudience),
    storageScope: scopeFor(profile.serviceAudiences.storage),
    keyVaultScope: scopeFor(profile.serviceAudiences.keyVault),
    storageSuffix: profile.serviceDnsSuffixes.storage,
    keyVaultSuffix: profile.serviceDnsSuffixes.keyVault,
    sqlServerSuffix: profile.serviceDnsSuffixes.sqlServer,
    containerRegistrySuffix: profile.serviceDnsSuffixes.containerRegistry,
    tenantId,
  }
}
