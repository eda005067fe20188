import { servicesOf } from '../clouds/services-of.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { formatJson } from './quote.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { toolNameOf, storageEndpointSuffix, withoutDot, withoutSlash } from '../profile/tool-values.ts'

/**
 * The environment file that AZURE_ENVIRONMENT_FILEPATH names, in the key names of go-autorest. Programs read it under
 * the cloud name `AzureStackCloud`. A value that the profile lacks is absent.
 */
export const goAutorestExport = defineExport({
  name: 'go-autorest',
  what: 'JSON for AZURE_ENVIRONMENT_FILEPATH',
  group: 'kubernetes',
  addByHand:
    'AZURE_ENVIRONMENT_FILEPATH with its path, and AZURE_ENVIRONMENT with its `name`; tenant, client and secret; SSL_CERT_FILE',
  write,
})

function write(profile: CloudProfile): ExportText {
  const { serviceAudiences, serviceDnsSuffixes } = profile
  const services = servicesOf(profile)
  // Newer readers append `/.default`, and their library declines two slashes.
  const audience = withoutSlash(profile.resourceManagerAudience)
  const environment = {
    name: toolNameOf(profile, 'goAutorest') ?? 'AzureStackCloud',
    managementPortalURL: profile.portalUrl,
    // Older programs take the audience of the resource manager from here.
    serviceManagementEndpoint: audience,
    resourceManagerEndpoint: profile.resourceManagerEndpoint,
    activeDirectoryEndpoint: identityProviderOf(profile).authorityBase,
    keyVaultEndpoint: serviceAudiences.keyVault,
    graphEndpoint: services.directoryGraph?.url,
    microsoftGraphEndpoint: services.microsoftGraph?.url,
    galleryEndpoint: services.gallery?.url,
    batchManagementEndpoint: services.batch?.audience,
    storageEndpointSuffix: storageEndpointSuffix(profile),
    sqlDatabaseDNSSuffix: withoutDot(serviceDnsSuffixes.sqlServer),
    keyVaultDNSSuffix: withoutDot(serviceDnsSuffixes.keyVault),
    containerRegistryDNSSuffix: withoutDot(serviceDnsSuffixes.containerRegistry),
    tokenAudience: audience,
    resourceIdentifiers: {
      keyVault: withoutSlash(serviceAudiences.keyVault),
      storage: serviceAudiences.storage,
      graph: services.directoryGraph?.url,
      microsoftGraph: services.microsoftGraph?.url,
      batch: services.batch?.audience,
      operationalInsights: services.logAnalytics?.audience,
      ossRDBMS: services.postgresql?.audience,
      datalake: services.dataLake?.audience,
    },
  }
  return { body: formatJson(environment) }
}
