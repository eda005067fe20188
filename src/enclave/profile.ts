import type { Directory } from './directory.ts'

/** A cloud profile as a plain object, ready to be saved as a custom profile file. */
export interface EnclaveProfile {
  readonly name: string
  readonly displayName: string
  readonly environment: 'custom' | 'platformstackcloud'
  readonly authorityHost: string
  readonly resourceManagerEndpoint: string
  readonly resourceManagerAudience: string
  readonly tenantId: string
  readonly portalUrl: string
  readonly metadataEndpoint: string
  readonly serviceDnsSuffixes: {
    readonly storage: string
    readonly keyVault: string
    readonly sqlServer: string
    readonly containerRegistry: string
  }
  readonly serviceAudiences: { readonly arm: string; readonly storage: string; readonly keyVault: string }
  readonly notes: string
}

export interface ProfileOptions {
  readonly directory: Directory
  readonly authorityHost: string
  readonly resourceManagerEndpoint: string
  readonly federationService: boolean
}

export function enclaveProfile(options: ProfileOptions): EnclaveProfile {
  const { directory, authorityHost, resourceManagerEndpoint, federationService } = options
  const { audiences, domain } = directory
  return {
    name: 'enclave',
    displayName: 'Loopback enclave',
    environment: federationService ? 'platformstackcloud' : 'custom',
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
    notes: 'A sovereign cloud on loopback, for tests and demonstrations. It ends with its process.',
  }
}
