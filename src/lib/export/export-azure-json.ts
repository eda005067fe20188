import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { toolNameOf, withoutSlash } from '../profile/tool-values.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { formatJson } from './quote.ts'

/**
 * The configuration file of the Kubernetes cloud provider and of external-dns. Only external-dns reads the last three fields; the others
 * take the cloud from AZURE_ENVIRONMENT_FILEPATH, and without it from the public cloud. Credentials have a place in it too.
 *
 * Source: `provider/azure/config.go` of external-dns 0.22, `pkg/azclient` of cloud-provider-azure.
 */
export const azureJsonExport = defineExport({
  name: 'azure-json',
  what: 'azure.json of external-dns and, with AZURE_ENVIRONMENT_FILEPATH, of the cloud provider, which without it silently uses the public cloud',
  group: 'kubernetes',
  addByHand:
    'subscription and resource group; `aadClientId` and `aadClientSecret`, or `useWorkloadIdentityExtension`; SSL_CERT_FILE. All readers but external-dns also need AZURE_ENVIRONMENT_FILEPATH with `export go-autorest`: without it they use the public cloud. With tenants: [instance discovery](../other-tools.md#instance-discovery)',
  read: 'cloud-provider-azure azclient 0.26',
  write,
})

function write(profile: CloudProfile): ExportText {
  const known = toolNameOf(profile, 'goAutorest')
  const { authorityBase, tenantId = 'TENANT_ID' } = identityProviderOf(profile)
  const body = formatJson({
    cloud: known ?? 'AzureStackCloud',
    tenantId,
    subscriptionId: 'SUBSCRIPTION_ID',
    resourceGroup: 'RESOURCE_GROUP',
    ...(known === undefined && {
      activeDirectoryAuthorityHost: authorityBase,
      resourceManagerEndpoint: withoutSlash(profile.resourceManagerEndpoint),
      // The reader appends `/.default`.
      resourceManagerAudience: withoutSlash(profile.resourceManagerAudience),
    }),
  })
  return { body }
}
