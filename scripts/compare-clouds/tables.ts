import type { FieldPath } from '../../src/lib/profile/field-path.ts'

/** A cloud in the table of a package: its name or login host, and its values, with the names of the package. */
interface TableCloud {
  readonly name: string
  readonly values: readonly (readonly [key: string, value: string])[]
}

/** A released package with values of clouds. */
export interface CloudTable {
  readonly client: 'npm' | 'pip' | 'go'
  readonly package: string
  /** Files of the package. They are read as one text. */
  readonly files: readonly string[]
  readonly read: (text: string) => readonly TableCloud[]
  /** Whether the table lists clouds for which we have no file. They are ignored. */
  readonly isPartial?: true
  readonly fields: Readonly<Record<string, FieldPath>>
}

/** Splits a text at each cloud and reads its values. Group 1 of `head` is the cloud's name; groups 1 and 2 of a pair are key and value. */
const blocks =
  (head: RegExp, pairs: Readonly<Record<string, RegExp>>) =>
  (text: string): TableCloud[] => {
    const heads = [...text.matchAll(head)]
    return heads.map((match, index) => {
      const block = text.slice(match.index, heads[index + 1]?.index)
      const values = Object.entries(pairs).flatMap(([suffix, pattern]) =>
        [...block.matchAll(pattern)].map(([, key = '', value = '']) => [`${key}${suffix}`, value] as const),
      )
      return { name: match[1] ?? '', values }
    })
  }

const dns = (service: string): FieldPath => `services.${service}.dnsSuffix`
const audience = (service: string): FieldPath => `services.${service}.audience`
const url = (service: string): FieldPath => `services.${service}.url`

/** An SDK with an enumeration of the audiences of its service. */
const audiencesOf = (name: string, file: string, service: string): CloudTable => ({
  client: 'npm',
  package: name,
  files: [`dist/esm/${file}.js`],
  read: blocks(/Audience\["(\w+)"\]/g, { '': /()= "(https:[^"]*)"/g }),
  fields: { '': audience(service) },
})

export const cloudTables: readonly CloudTable[] = [
  {
    client: 'pip',
    package: 'azure-cli-core',
    files: ['azure/cli/core/cloud.py'],
    read: blocks(/^ {4}CloudNameEnum\.(\w+),$/gm, { '': /^ +(\w+)='([^']*)'/gm }),
    fields: {
      active_directory: 'authorityHost',
      resource_manager: 'resourceManagerEndpoint',
      active_directory_resource_id: 'resourceManagerAudience',
      portal: 'portalUrl',
      management: url('serviceManagement'),
      sql_management: url('sqlManagement'),
      gallery: url('gallery'),
      batch_resource_id: audience('batch'),
      active_directory_graph_resource_id: audience('directoryGraph'),
      microsoft_graph_resource_id: audience('microsoftGraph'),
      active_directory_data_lake_resource_id: audience('dataLake'),
      ossrdbms_resource_id: audience('postgresql'),
      app_insights_resource_id: audience('applicationInsights'),
      log_analytics_resource_id: audience('logAnalytics'),
      synapse_analytics_resource_id: audience('synapse'),
      attestation_resource_id: audience('attestation'),
      app_service_resource_id: audience('appService'),
      storage_endpoint: 'serviceDnsSuffixes.storage',
      keyvault_dns: 'serviceDnsSuffixes.keyVault',
      sql_server_hostname: 'serviceDnsSuffixes.sqlServer',
      acr_login_server_endpoint: 'serviceDnsSuffixes.containerRegistry',
      storage_sync_endpoint: dns('fileSync'),
      mhsm_dns: dns('managedHsm'),
      mysql_server_endpoint: dns('mysql'),
      postgresql_server_endpoint: dns('postgresql'),
      mariadb_server_endpoint: dns('mariadb'),
      synapse_analytics_endpoint: dns('synapse'),
      attestation_endpoint: dns('attestation'),
    },
  },
  {
    client: 'npm',
    package: '@azure/ms-rest-azure-env',
    files: ['lib/azureEnvironment.ts'],
    read: blocks(/^ {4}name: "(\w+)",$/gm, { '': /^ {4}(\w+): "([^"]*)"/gm }),
    fields: {
      portalUrl: 'portalUrl',
      managementEndpointUrl: url('serviceManagement'),
      resourceManagerEndpointUrl: 'resourceManagerEndpoint',
      sqlManagementEndpointUrl: url('sqlManagement'),
      sqlServerHostnameSuffix: 'serviceDnsSuffixes.sqlServer',
      galleryEndpointUrl: url('gallery'),
      activeDirectoryEndpointUrl: 'authorityHost',
      activeDirectoryResourceId: 'resourceManagerAudience',
      activeDirectoryGraphResourceId: audience('directoryGraph'),
      batchResourceId: audience('batch'),
      storageEndpointSuffix: 'serviceDnsSuffixes.storage',
      keyVaultDnsSuffix: 'serviceDnsSuffixes.keyVault',
    },
  },
  {
    client: 'pip',
    package: 'azure-mgmt-core',
    files: ['azure/mgmt/core/tools.py'],
    read: blocks(/== AzureClouds\.(\w+):$/gm, {
      '': /"(resource_manager)": "([^"]*)"/g,
      '.audience': /"(credential_scopes)": \["([^"]*)\.default"\]/g,
    }),
    fields: { resource_manager: 'resourceManagerEndpoint', 'credential_scopes.audience': 'resourceManagerAudience' },
  },
  audiencesOf('@azure/search-documents', 'searchAudience', 'search'),
  audiencesOf('@azure/app-configuration', 'models', 'appConfiguration'),
  {
    client: 'npm',
    package: '@azure/msal-common',
    files: ['src/authority/AuthorityMetadata.ts'],
    read: blocks(/^ +preferred_network: "([^"]+)"/gm, { '': /()"(login[^"]+|sts[^"]+)"/g }),
    fields: { '': 'authorityHost' },
  },
  {
    client: 'pip',
    package: 'azure-kusto-data',
    files: ['azure/kusto/data/wellKnownKustoEndpoints.json'],
    isPartial: true,
    read: blocks(/"https:\/\/(login[^"]+)": \{/g, { '': /()"(\.kusto\.(?!data\.|fabric\.|azuresynapse\.)[^"]+)"/g }),
    fields: { '': dns('kusto') },
  },
  {
    client: 'go',
    package: 'github.com/hashicorp/go-azure-sdk/sdk',
    files: ['public', 'gov', 'china'].map((name) => `environments/azure_${name}.go`),
    read: blocks(/^func Azure(\w+)\(/gm, {
      '': /^\t+(?:env\.)?(LoginEndpoint|\w+)(?: = \w+\(|: +)"([^"]*)"/gm,
      '.suffix': /^\tenv\.(\w+) = \w+\("[^"]*", "([^"]*)"/gm,
      '.audience': /^\tenv\.(\w+) = .*\.WithResourceIdentifier\("([^"]*)"/gm,
    }),
    fields: {
      LoginEndpoint: 'authorityHost',
      ResourceManager: 'resourceManagerEndpoint',
      MicrosoftGraph: url('microsoftGraph'),
      ApiManagement: dns('apiManagement'),
      AppConfiguration: dns('appConfiguration'),
      Attestation: audience('attestation'),
      'Attestation.suffix': dns('attestation'),
      Batch: audience('batch'),
      CDNFrontDoor: dns('frontDoor'),
      ContainerRegistry: 'serviceDnsSuffixes.containerRegistry',
      CosmosDB: dns('cosmos'),
      DataLake: dns('dataLake'),
      'DataLake.audience': audience('dataLake'),
      KeyVault: 'serviceDnsSuffixes.keyVault',
      'KeyVault.audience': 'serviceAudiences.keyVault',
      ManagedHSM: audience('managedHsm'),
      'ManagedHSM.suffix': dns('managedHsm'),
      MariaDB: dns('mariadb'),
      MySql: dns('mysql'),
      'MySql.audience': audience('mysql'),
      'OperationalInsights.audience': audience('logAnalytics'),
      Postgresql: dns('postgresql'),
      'Postgresql.audience': audience('postgresql'),
      Search: dns('search'),
      'Search.audience': audience('search'),
      'ServiceBus.suffix': dns('serviceBus'),
      'ServiceBus.audience': audience('serviceBus'),
      Sql: 'serviceDnsSuffixes.sqlServer',
      'Sql.audience': audience('sqlServer'),
      Storage: 'serviceDnsSuffixes.storage',
      Synapse: dns('synapse'),
      'Synapse.audience': audience('synapse'),
      TrafficManager: dns('trafficManager'),
    },
  },
  {
    client: 'go',
    package: 'github.com/Azure/go-autorest/autorest',
    files: ['azure/environments.go'],
    read: blocks(/^\t\tName: +"(\w+)"/gm, {
      '': /^\t\t(\w+): +"([^"]*)"/gm,
      '.audience': /^\t\t\t(\w+): +"([^"]*)"/gm,
    }),
    fields: {
      ManagementPortalURL: url('classicPortal'),
      ServiceManagementEndpoint: url('serviceManagement'),
      ResourceManagerEndpoint: 'resourceManagerEndpoint',
      ActiveDirectoryEndpoint: 'authorityHost',
      TokenAudience: 'resourceManagerAudience',
      GalleryEndpoint: url('gallery'),
      GraphEndpoint: url('directoryGraph'),
      MicrosoftGraphEndpoint: url('microsoftGraph'),
      StorageEndpointSuffix: 'serviceDnsSuffixes.storage',
      KeyVaultDNSSuffix: 'serviceDnsSuffixes.keyVault',
      SQLDatabaseDNSSuffix: 'serviceDnsSuffixes.sqlServer',
      ContainerRegistryDNSSuffix: 'serviceDnsSuffixes.containerRegistry',
      CosmosDBDNSSuffix: dns('cosmos'),
      MariaDBDNSSuffix: dns('mariadb'),
      MySQLDatabaseDNSSuffix: dns('mysql'),
      PostgresqlDatabaseDNSSuffix: dns('postgresql'),
      TrafficManagerDNSSuffix: dns('trafficManager'),
      ManagedHSMDNSSuffix: dns('managedHsm'),
      ServiceBusEndpointSuffix: dns('serviceBus'),
      ServiceManagementVMDNSSuffix: dns('cloudServices'),
      ResourceManagerVMDNSSuffix: dns('virtualMachine'),
      APIManagementHostNameSuffix: dns('apiManagement'),
      SynapseEndpointSuffix: dns('synapse'),
      'KeyVault.audience': 'serviceAudiences.keyVault',
      'Storage.audience': 'serviceAudiences.storage',
      'Graph.audience': audience('directoryGraph'),
      'MicrosoftGraph.audience': audience('microsoftGraph'),
      'Batch.audience': audience('batch'),
      'Datalake.audience': audience('dataLake'),
      'OperationalInsights.audience': audience('logAnalytics'),
      'OSSRDBMS.audience': audience('postgresql'),
      'Synapse.audience': audience('synapse'),
      'ServiceBus.audience': audience('serviceBus'),
      'SQLDatabase.audience': audience('sqlServer'),
      'CosmosDB.audience': audience('cosmos'),
      'ManagedHSM.audience': audience('managedHsm'),
    },
  },
]

/** Differences that were checked, and why the cloud file keeps its value. */
export const knownDifferences: readonly {
  readonly package: string
  readonly cloud: string
  readonly field: string
  readonly theirs: string
  readonly reason: string
}[] = [
  ...['azure-cli-core', '@azure/ms-rest-azure-env', 'github.com/Azure/go-autorest/autorest'].map((name) =>
    known(name, 'AzureGermanCloud', 'the whole cloud', 'has no file here', 'retired in 2021'),
  ),
  known('@azure/msal-common', 'login.microsoftonline.de', 'the whole cloud', 'has no file here', 'retired in 2021'),
  known(
    'github.com/hashicorp/go-azure-sdk/sdk',
    'USGovernmentL5',
    'the whole cloud',
    'has no file here',
    'the government cloud with another Microsoft Graph host, which its file lists',
  ),
  ...[
    ['platform-us-government', 'https://management.core.usgovcloudapi.net/'],
    ['platform-china', 'https://management.core.chinacloudapi.cn/'],
  ].map(([cloud = '', theirs = '']) =>
    known(
      'azure-cli-core',
      cloud,
      audience('appService'),
      theirs,
      'az uses the resource manager until it has the audience; microsoft/vscode-azuretools has it',
    ),
  ),
  known(
    'azure-cli-core',
    'platform-us-government',
    audience('directoryGraph'),
    'https://graph.microsoftazure.us/',
    'two packages and the documentation say graph.windows.net; the file lists this host too',
  ),
  known(
    'azure-cli-core',
    'bleu',
    url('serviceManagement'),
    'https://management.sovcloud-api.fr/',
    'the resource manager again: the cloud has no older service management',
  ),
  known(
    'azure-cli-core',
    'bleu',
    audience('directoryGraph'),
    'https://graph.svc.sovcloud.fr/',
    'Microsoft Graph again: the cloud has no directory graph',
  ),
  ...[
    ['platform-us-government', 'https://servicebus.usgovcloudapi.net'],
    ['platform-china', 'https://servicebus.chinacloudapi.cn'],
  ].map(([cloud = '', theirs = '']) =>
    known(
      'github.com/hashicorp/go-azure-sdk/sdk',
      cloud,
      audience('serviceBus'),
      theirs,
      'the SDKs of Service Bus and go-autorest request one audience in every cloud',
    ),
  ),
  ...['platform-us-government', 'platform-china'].map((cloud) =>
    known(
      'github.com/Azure/go-autorest/autorest',
      cloud,
      audience('cosmos'),
      'https://cosmos.azure.com',
      'older than the audiences of TableAudience in azure-sdk-for-net',
    ),
  ),
  known(
    'github.com/Azure/go-autorest/autorest',
    'platform-china',
    audience('synapse'),
    'https://dev.azuresynapse.net',
    'az and go-azure-sdk, both newer, name the audience of the cloud',
  ),
]

function known(name: string, cloud: string, field: string, theirs: string, reason: string) {
  return { package: name, cloud, field, theirs, reason }
}
