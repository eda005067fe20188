import type { CloudProfile } from '../profile/cloud-profile.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { formatJson } from './quote.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { knownToTools, storageEndpointSuffix, withoutDot, withoutSlash } from '../profile/tool-values.ts'

/**
 * The environment file that AZURE_ENVIRONMENT_FILEPATH names, in the key names of go-autorest. Programs read it under
 * the cloud name `AzureStackCloud`. A value that the profile lacks is absent.
 */
export const goAutorestExport = defineExport({
  name: 'go-autorest',
  what: 'JSON for AZURE_ENVIRONMENT_FILEPATH',
  group: 'kubernetes',
  addByHand: 'AZURE_ENVIRONMENT_FILEPATH with its path; tenant, client and secret; SSL_CERT_FILE',
  write,
})

function write(profile: CloudProfile): ExportText {
  const { serviceAudiences, serviceDnsSuffixes, extensions = {} } = profile
  // Newer readers append `/.default`, and their library declines two slashes.
  const audience = withoutSlash(profile.resourceManagerAudience)
  const environment = {
    name: knownToTools(profile)?.autorest ?? 'AzureStackCloud',
    managementPortalURL: profile.portalUrl,
    // Older programs take the audience of the resource manager from here.
    serviceManagementEndpoint: audience,
    resourceManagerEndpoint: profile.resourceManagerEndpoint,
    activeDirectoryEndpoint: identityProviderOf(profile).authorityBase,
    keyVaultEndpoint: serviceAudiences.keyVault,
    graphEndpoint: extensions.graph,
    microsoftGraphEndpoint: extensions.microsoftGraph,
    galleryEndpoint: extensions.gallery,
    batchManagementEndpoint: extensions.batch,
    storageEndpointSuffix: storageEndpointSuffix(profile),
    sqlDatabaseDNSSuffix: withoutDot(serviceDnsSuffixes.sqlServer),
    keyVaultDNSSuffix: withoutDot(serviceDnsSuffixes.keyVault),
    containerRegistryDNSSuffix: withoutDot(serviceDnsSuffixes.containerRegistry),
    tokenAudience: audience,
    resourceIdentifiers: {
      keyVault: withoutSlash(serviceAudiences.keyVault),
      storage: serviceAudiences.storage,
      graph: extensions.graph,
      microsoftGraph: extensions.microsoftGraph,
      batch: extensions.batch,
      operationalInsights: extensions.logAnalytics,
      ossRDBMS: extensions.openSourceDatabases,
      datalake: extensions.dataLake,
    },
  }
  return { body: formatJson(environment) }
}
