import type { Directory } from './directory.ts'

/** A cloud profile as a plain object, ready to be saved as a custom profile file. */
export type EnclaveProfile = ReturnType<typeof enclaveProfile>

export interface ProfileOptions {
  readonly directory: Directory
  readonly authorityHost: string
  readonly resourceManagerEndpoint: string
  readonly federationService: boolean
}

export function enclaveProfile(options: ProfileOptions) {
  const { directory, authorityHost, resourceManagerEndpoint, federationService } = options
  const { audiences, domain } = directory
  return {
    name: 'enclave',
    displayName: 'Loopback enclave',
    environment: federationService ? ('platformstackcloud' as const) : ('custom' as const),
    authorityHost,
    resourceManagerEndpoint,
    resourceManagerAudience: audiences.resourceManager,
    tenantId: directory.tenantId,
    portalUrl: `${resourceManagerEndpoint}portal/`,
    metadataEndpoint: `${resourceManagerEndpoint}metadata/endpoints`,
    serviceDnsSuffixes: {
      storage: `.blob.core.${domain}`,
      keyVault: `.vault.${domain}`,
      sqlServer: `.database.${domain}`,
      containerRegistry: `.azurecr.${domain}`,
    },
    serviceAudiences: {
      arm: audiences.resourceManager,
      storage: audiences.storage,
      keyVault: audiences.keyVault,
    },
    notes: 'A sovereign cloud on loopback, for tests and demonstrations. It exists as long as its process.',
  }
}
