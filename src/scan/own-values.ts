import type { FixLanguage } from './languages.ts'

/** An expression for the host of a service, and one for its audience. One that the language does not offer is missing. */
interface OwnValue {
  readonly host?: string
  readonly audience?: string
}

type OwnValues = Readonly<Record<string, OwnValue>>

/** Expressions that hold a host or a DNS suffix, by service. */
function hosts(expressions: Readonly<Record<string, string>>): OwnValues {
  return Object.fromEntries(Object.entries(expressions).map(([service, host]) => [service, { host }]))
}

const bicep: OwnValues = {
  ...hosts({
    login: 'environment().authentication.loginEndpoint',
    storage: 'environment().suffixes.storage',
    'key-vault': 'environment().suffixes.keyvaultDns',
    sql: 'environment().suffixes.sqlServerHostname',
    'container-registry': 'environment().suffixes.acrLoginServer',
    portal: 'environment().portal',
    gallery: 'environment().gallery',
  }),
  'resource-manager': {
    host: 'environment().resourceManager',
    audience: 'environment().authentication.audiences[0]',
  },
  'directory-graph': { host: 'environment().graph', audience: 'environment().graph' },
  batch: { audience: 'environment().batch' },
  'data-lake-gen1': { audience: 'environment().activeDirectoryDataLake' },
}

const arm: OwnValues = Object.fromEntries(
  Object.entries(bicep).map(([service, { host, audience }]) => [
    service,
    { ...(host && { host: `[${host}]` }), ...(audience && { audience: `[${audience}]` }) },
  ]),
)

/** Attributes of resources, which the provider fills from the cloud that it is configured for. */
const terraform: OwnValues = hosts({
  storage: 'azurerm_storage_account.NAME.primary_blob_endpoint (or its queue, table, file, dfs and web siblings)',
  'key-vault': 'azurerm_key_vault.NAME.vault_uri',
  'managed-hsm': 'azurerm_key_vault_managed_hardware_security_module.NAME.hsm_uri',
  sql: 'azurerm_mssql_server.NAME.fully_qualified_domain_name',
  postgresql: 'azurerm_postgresql_flexible_server.NAME.fqdn',
  mysql: 'azurerm_mysql_flexible_server.NAME.fqdn',
  'container-registry': 'azurerm_container_registry.NAME.login_server',
  cosmos: 'azurerm_cosmosdb_account.NAME.endpoint',
  'service-bus': 'azurerm_servicebus_namespace.NAME.endpoint',
  'app-service': 'azurerm_linux_web_app.NAME.default_hostname',
  'api-management': 'azurerm_api_management.NAME.gateway_url',
  'front-door': 'azurerm_cdn_frontdoor_endpoint.NAME.host_name',
  'traffic-manager': 'azurerm_traffic_manager_profile.NAME.fqdn',
  'virtual-machine': 'azurerm_public_ip.NAME.fqdn',
  redis: 'azurerm_redis_cache.NAME.hostname',
  'ai-services': 'azurerm_cognitive_account.NAME.endpoint',
  'app-configuration': 'azurerm_app_configuration.NAME.endpoint',
  'event-grid': 'azurerm_eventgrid_topic.NAME.endpoint',
  'data-explorer': 'azurerm_kusto_cluster.NAME.uri',
  batch: 'azurerm_batch_account.NAME.account_endpoint',
  signalr: 'azurerm_signalr_service.NAME.hostname',
})

const powershell: OwnValues = {
  ...hosts({
    login: '(Get-AzContext).Environment.ActiveDirectoryAuthority',
    storage: '(Get-AzContext).Environment.StorageEndpointSuffix',
    sql: '(Get-AzContext).Environment.SqlDatabaseDnsSuffix',
    'container-registry': '(Get-AzContext).Environment.ContainerRegistryEndpointSuffix',
    'traffic-manager': '(Get-AzContext).Environment.TrafficManagerDnsSuffix',
    portal: '(Get-AzContext).Environment.ManagementPortalUrl',
  }),
  'resource-manager': {
    host: '(Get-AzContext).Environment.ResourceManagerUrl',
    audience: '(Get-AzContext).Environment.ActiveDirectoryServiceEndpointResourceId',
  },
  'key-vault': {
    host: '(Get-AzContext).Environment.AzureKeyVaultDnsSuffix',
    audience: '(Get-AzContext).Environment.AzureKeyVaultServiceEndpointResourceId',
  },
  'directory-graph': {
    host: '(Get-AzContext).Environment.GraphUrl',
    audience: '(Get-AzContext).Environment.GraphEndpointResourceId',
  },
  'microsoft-graph': {
    host: '(Get-AzContext).Environment.ExtendedProperties.MicrosoftGraphUrl',
    audience: '(Get-AzContext).Environment.ExtendedProperties.MicrosoftGraphEndpointResourceId',
  },
}

const shell: OwnValues = {
  ...hosts({
    login: '$(az cloud show --query endpoints.activeDirectory --output tsv)',
    storage: '$(az cloud show --query suffixes.storageEndpoint --output tsv)',
    'key-vault': '$(az cloud show --query suffixes.keyvaultDns --output tsv)',
    sql: '$(az cloud show --query suffixes.sqlServerHostname --output tsv)',
    'container-registry': '$(az cloud show --query suffixes.acrLoginServerEndpoint --output tsv)',
  }),
  'resource-manager': {
    host: '$(az cloud show --query endpoints.resourceManager --output tsv)',
    audience: '$(az cloud show --query endpoints.activeDirectoryResourceId --output tsv)',
  },
  'microsoft-graph': {
    host: '$(az cloud show --query endpoints.microsoftGraphResourceId --output tsv)',
    audience: '$(az cloud show --query endpoints.microsoftGraphResourceId --output tsv)',
  },
}

/** The expressions of templates, providers and tools, by service. */
export const ownValues: Partial<Readonly<Record<FixLanguage, OwnValues>>> = { bicep, arm, terraform, powershell, shell }
