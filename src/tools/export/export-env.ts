import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { builtInClouds, builtInProfileNames } from '../../lib/clouds/known-clouds.ts'
import { defineExport } from './define-export.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'
import { withoutFinalSlashes } from '../../lib/base/address.ts'
import { metadataHostOf, toolNameOf, withoutDot } from '../../lib/clouds/tool-names.ts'
import { overrideVariables } from '../../lib/profile/field-path.ts'
import { quoteShell } from '../../lib/base/printable.ts'
import { valueAt } from '../../lib/base/json.ts'

/** The names of a storage account and of a key vault, whose addresses programs read from variables. */
type NamedResources = Readonly<Partial<Record<'storage' | 'vault', string | undefined>>>

/** The variables that SDKs and tools read. AZURE_ENVIRONMENT and AZURE_AD_RESOURCE are left out, because tools disagree about their values. */
export function exportedVariables(
  profile: CloudProfile,
  { storage, vault }: NamedResources = {},
): Readonly<Record<string, string>> {
  const { authorityBase, tenantId } = identityProviderOf(profile)
  const environment = toolNameOf(profile, 'terraform')
  return {
    // With a final slash, the Rust crate object_store posts to `//TENANT`.
    AZURE_AUTHORITY_HOST: withoutFinalSlashes(authorityBase),
    ...(tenantId === undefined ? {} : { AZURE_TENANT_ID: tenantId, ARM_TENANT_ID: tenantId }),
    ...(environment === undefined
      ? { ARM_METADATA_HOSTNAME: metadataHostOf(profile) }
      : { ARM_ENVIRONMENT: environment }),
    // azqr reads these. The Go SDK appends `/.default` to the audience.
    AZURE_RESOURCE_MANAGER_ENDPOINT: withoutFinalSlashes(profile.resourceManagerEndpoint),
    AZURE_RESOURCE_MANAGER_AUDIENCE: withoutFinalSlashes(profile.resourceManagerAudience),
    // Without it, the machine learning SDK uses the public cloud.
    AZUREML_CURRENT_CLOUD: toolNameOf(profile, 'az') ?? profile.name,
    BICEP_TRUSTED_CLOUDS: JSON.stringify([bicepAddresses(profile)]),
    ...(storage === undefined ? {} : storageVariables(storage, profile.serviceDnsSuffixes.storage)),
    ...(vault === undefined ? {} : vaultVariables(vault, profile.serviceDnsSuffixes.keyVault)),
  }
}

/** Bicep uses a custom cloud only if BICEP_TRUSTED_CLOUDS contains the same addresses as its configuration. */
export const bicepAddresses = (profile: CloudProfile) => ({
  resourceManagerEndpoint: profile.resourceManagerEndpoint,
  activeDirectoryAuthority: withoutFinalSlashes(identityProviderOf(profile).authorityUrl),
})

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

/** The built-in profile that the override variables change: of the same environment, or the stack, which has only placeholders. */
function baseOf({ name, environment }: CloudProfile): string {
  if (builtInProfileNames.includes(name)) return name
  return builtInClouds.find((document) => document.environment === environment)?.name ?? 'platformstack-custom'
}

/** The override variables of this service, and the variables from which other tools read their cloud. */
export const envExport = defineExport({
  name: 'env',
  what: 'variables to source in a POSIX shell',
  group: 'command-line',
  comment: '#',
  addByHand:
    'the client and its secret, under the names that the tool reads; ARM_CLOUD_METADATA_URL for the machine learning SDK. `cloud-profile run` sets these variables, the credential and the trust for one program',
  reader: 'sh and bash; this service',
  notes: () => [
    'Names, portal, metadata endpoint and serviceAudiences.arm have no variable, so the profile of PLATFORM_CLOUD sets them.',
    'To add the variables of a storage account, set PLATFORM_STORAGE_ACCOUNT before these lines.',
  ],
  write,
})

function write(profile: CloudProfile): string {
  const variables: [string, string][] = [['PLATFORM_CLOUD', baseOf(profile)]]
  for (const [variable, path] of Object.entries(overrideVariables)) {
    const value = valueAt(profile, path)
    if (typeof value === 'string' && variable !== 'PLATFORM_ARM_AUDIENCE') variables.push([variable, value])
  }
  variables.push(...Object.entries(exportedVariables(profile)))
  const lines = variables.map(([name, value]) => `export ${name}=${quoteShell(value)}\n`)
  return `${lines.join('')}${storage(profile.serviceDnsSuffixes.storage)}`
}

/** The account is a variable of the shell that sources the export. */
function storage(suffix: string): string {
  const endpoint = `"https://$PLATFORM_STORAGE_ACCOUNT"${quoteShell(suffix)}`
  return `if [ -n "\${PLATFORM_STORAGE_ACCOUNT:-}" ]; then
  export AZURE_STORAGE_ACCOUNT="$PLATFORM_STORAGE_ACCOUNT" AZURE_STORAGE_ACCOUNT_NAME="$PLATFORM_STORAGE_ACCOUNT"
  export AZURE_STORAGE_DOMAIN=${quoteShell(withoutDot(suffix))} AZURE_STORAGE_ENDPOINT=${endpoint}
fi
`
}
