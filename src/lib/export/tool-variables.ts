import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { metadataHostOf, toolNameOf, withoutDot, withoutSlash } from '../profile/tool-values.ts'

/** Resources whose addresses programs read from variables. */
export interface NamedResources {
  /** The name of a storage account. */
  readonly storage?: string | undefined
  /** The name of a key vault. */
  readonly vault?: string | undefined
}

/**
 * The values of a profile under the names that SDKs and tools read. AZURE_ENVIRONMENT and AZURE_AD_RESOURCE are not among them: their
 * readers do not agree on what they mean.
 */
export function toolVariables(
  profile: CloudProfile,
  { storage, vault }: NamedResources = {},
): Readonly<Record<string, string>> {
  const { authorityBase, authorityUrl, tenantId } = identityProviderOf(profile)
  const environment = toolNameOf(profile, 'terraform')
  const trusted = [
    { resourceManagerEndpoint: profile.resourceManagerEndpoint, activeDirectoryAuthority: withoutSlash(authorityUrl) },
  ]
  return {
    // Without its final slash: object_store would post to `//TENANT`.
    AZURE_AUTHORITY_HOST: withoutSlash(authorityBase),
    ...(tenantId === undefined ? {} : { AZURE_TENANT_ID: tenantId, ARM_TENANT_ID: tenantId }),
    ...(environment === undefined
      ? { ARM_METADATA_HOSTNAME: metadataHostOf(profile) }
      : { ARM_ENVIRONMENT: environment }),
    // The machine learning SDK uses the public cloud without it.
    AZUREML_CURRENT_CLOUD: toolNameOf(profile, 'az') ?? profile.name,
    BICEP_TRUSTED_CLOUDS: JSON.stringify(trusted),
    ...(storage === undefined ? {} : storageVariables(storage, profile.serviceDnsSuffixes.storage)),
    ...(vault === undefined ? {} : vaultVariables(vault, profile.serviceDnsSuffixes.keyVault)),
  }
}

const storageVariables = (account: string, suffix: string) => ({
  AZURE_STORAGE_ACCOUNT: account,
  AZURE_STORAGE_ACCOUNT_NAME: account,
  AZURE_STORAGE_DOMAIN: withoutDot(suffix),
  AZURE_STORAGE_ENDPOINT: `https://${account}${suffix}`,
})

const vaultVariables = (vault: string, suffix: string) => ({
  AZURE_KEYVAULT_NAME: vault,
  AZURE_KEY_VAULT_NAME: vault,
  KEY_VAULT_NAME: vault,
  AZURE_KEYVAULT_URL: `https://${vault}${suffix}/`,
  AZURE_KEY_VAULT_ENDPOINT: `https://${vault}${suffix}/`,
  VAULT_URL: `https://${vault}${suffix}/`,
})
