import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { withoutSlash } from '../profile/tool-values.ts'
import { scopeFor } from '../profile/endpoints.ts'

/** The values of a cloud for a program in any language. */
export interface SnippetValues {
  readonly authority: string
  readonly disableInstanceDiscovery: boolean
  readonly resourceManagerEndpoint: string
  /** The audience to which clients append `/.default`: without a final slash. */
  readonly resourceManagerAudience: string
  readonly storageAudience: string
  readonly keyVaultAudience: string
  readonly resourceManagerScope: string
  readonly storageScope: string
  readonly keyVaultScope: string
  /** The DNS suffix after the name of a resource, with the leading dot. */
  readonly storageSuffix: string
  readonly keyVaultSuffix: string
  readonly sqlServerSuffix: string
  readonly containerRegistrySuffix: string
  /** Used when PLATFORM_TENANT_ID is not set. Empty when the profile names none. */
  readonly tenantId: string
}

export function snippetValues(profile: CloudProfile): SnippetValues {
  const { authorityBase, disableInstanceDiscovery, tenantId = '' } = identityProviderOf(profile)
  return {
    authority: authorityBase,
    disableInstanceDiscovery,
    resourceManagerEndpoint: profile.resourceManagerEndpoint,
    resourceManagerAudience: withoutSlash(profile.resourceManagerAudience),
    storageAudience: withoutSlash(profile.serviceAudiences.storage),
    keyVaultAudience: withoutSlash(profile.serviceAudiences.keyVault),
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

/** Whether a library must be told to leave the public instance discovery alone. None asks it beside a federation service. */
export function needsSwitch(profile: CloudProfile): boolean {
  const { kind, disableInstanceDiscovery } = identityProviderOf(profile)
  return disableInstanceDiscovery && kind === 'multi-tenant'
}
