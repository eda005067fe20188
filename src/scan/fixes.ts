import type { CloudProfile } from '../lib/profile/cloud-profile.ts'
import type { ConstructKind } from './constructs/construct.ts'
import type { FixLanguage } from './languages.ts'
import { fieldOf, profileFields, valueOfField } from './profile-fields.ts'

const upperSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
const pascal = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** The languages that an export is written for, and how it writes a name. */
const exports: Partial<
  Readonly<Record<FixLanguage, { readonly format: string; readonly name: (name: string) => string }>>
> = {
  typescript: { format: 'typescript', name: (name) => `cloud.${name}` },
  python: { format: 'python', name: upperSnake },
  go: { format: 'go', name: goName },
  dotnet: { format: 'dotnet', name: (name) => `Cloud.${pascal(name)}` },
  java: { format: 'java', name: (name) => `Cloud.${upperSnake(name)}` },
}

/** Go writes the authority and the resource manager into one configuration. */
function goName(name: string): string {
  if (name === 'authorityHost') return 'cloudprofile.Cloud.ActiveDirectoryAuthorityHost'
  if (name === 'resourceManagerEndpoint') return 'cloudprofile.Cloud.Services[cloud.ResourceManager].Endpoint'
  return `cloudprofile.${pascal(name).replace(/^Sql/, 'SQL')}`
}

/** The expressions of a template or provider language, by service: for a host, and for an audience. */
type OwnValues = Readonly<Record<string, string | readonly [host: string, audience: string]>>

const bicep: OwnValues = {
  login: 'environment().authentication.loginEndpoint',
  'resource-manager': ['environment().resourceManager', 'environment().authentication.audiences[0]'],
  storage: 'environment().suffixes.storage',
  'key-vault': 'environment().suffixes.keyvaultDns',
  sql: 'environment().suffixes.sqlServerHostname',
  'container-registry': 'environment().suffixes.acrLoginServer',
  'directory-graph': 'environment().graph',
  portal: 'environment().portal',
  gallery: 'environment().gallery',
  batch: 'environment().batch',
  'data-lake-gen1': 'environment().activeDirectoryDataLake',
}

const arm: OwnValues = Object.fromEntries(
  Object.entries(bicep).map(([service, value]) => [
    service,
    typeof value === 'string' ? `[${value}]` : ([`[${value[0]}]`, `[${value[1]}]`] as const),
  ]),
)

/** Attributes of resources, which the provider fills from the cloud that it is configured for. */
const terraform: OwnValues = {
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
}

const powershell: OwnValues = {
  login: '(Get-AzContext).Environment.ActiveDirectoryAuthority',
  'resource-manager': [
    '(Get-AzContext).Environment.ResourceManagerUrl',
    '(Get-AzContext).Environment.ActiveDirectoryServiceEndpointResourceId',
  ],
  storage: '(Get-AzContext).Environment.StorageEndpointSuffix',
  'key-vault': [
    '(Get-AzContext).Environment.AzureKeyVaultDnsSuffix',
    '(Get-AzContext).Environment.AzureKeyVaultServiceEndpointResourceId',
  ],
  sql: '(Get-AzContext).Environment.SqlDatabaseDnsSuffix',
  'container-registry': '(Get-AzContext).Environment.ContainerRegistryEndpointSuffix',
  'traffic-manager': '(Get-AzContext).Environment.TrafficManagerDnsSuffix',
  'directory-graph': '(Get-AzContext).Environment.GraphUrl',
  'microsoft-graph': '(Get-AzContext).Environment.ExtendedProperties.MicrosoftGraphUrl',
  portal: '(Get-AzContext).Environment.ManagementPortalUrl',
}

const shell: OwnValues = {
  login: '$(az cloud show --query endpoints.activeDirectory --output tsv)',
  'resource-manager': [
    '$(az cloud show --query endpoints.resourceManager --output tsv)',
    '$(az cloud show --query endpoints.activeDirectoryResourceId --output tsv)',
  ],
  storage: '$(az cloud show --query suffixes.storageEndpoint --output tsv)',
  'key-vault': '$(az cloud show --query suffixes.keyvaultDns --output tsv)',
  sql: '$(az cloud show --query suffixes.sqlServerHostname --output tsv)',
  'container-registry': '$(az cloud show --query suffixes.acrLoginServerEndpoint --output tsv)',
  'microsoft-graph': '$(az cloud show --query endpoints.microsoftGraphResourceId --output tsv)',
}

const ownValues: Partial<Readonly<Record<FixLanguage, OwnValues>>> = { bicep, arm, terraform, powershell, shell }

/** The value for which a fix is needed. */
export interface ValueToFix {
  readonly service: string
  readonly isAudience: boolean
  readonly language: FixLanguage
  readonly profile?: CloudProfile
}

/** The replacement of a value. */
export function fixOfValue({ service, isAudience, language, profile }: ValueToFix): string {
  const instead = replacement(service, isAudience, language)
  const field = fieldOf(service, isAudience)
  const value = profile === undefined || field === undefined ? undefined : valueOfField(profile, field)
  return value === undefined ? instead : `${instead}. In this profile ${field} is ${value}`
}

function replacement(service: string, isAudience: boolean, language: FixLanguage): string {
  const own = ownValues[language]?.[service]
  if (own !== undefined) return `Write ${typeof own === 'string' ? own : own[isAudience ? 1 : 0]}`
  const exported = exports[language]
  const fields = Object.hasOwn(profileFields, service) ? profileFields[service] : undefined
  const name = isAudience ? (fields?.exportedAudience ?? undefined) : fields?.exportedHost
  if (exported !== undefined && name !== undefined) {
    return `Write ${exported.name(name)} of \`cloud-profile export ${exported.format}\``
  }
  const field = fieldOf(service, isAudience)
  const source = field === undefined ? 'set for each cloud' : `from the profile's ${field}`
  return `${readerOf(language, variableOf(service, isAudience))}, ${source}`
}

/** How each language reads a setting. */
function readerOf(language: FixLanguage, variable: string): string {
  switch (language) {
    case 'typescript':
      return `Read process.env.${variable}`
    case 'python':
      return `Read os.environ["${variable}"]`
    case 'go':
      return `Read os.Getenv("${variable}")`
    case 'dotnet':
      return `Read Environment.GetEnvironmentVariable("${variable}")`
    case 'java':
      return `Read System.getenv("${variable}")`
    case 'powershell':
      return `Read $env:${variable}`
    case 'terraform':
      return `Write var.${variable.toLowerCase()}`
    case 'bicep':
      return `Take a parameter ${camel(variable)}`
    case 'arm':
      return `Write [parameters('${camel(variable)}')]`
    case 'helm':
      return `Write {{ .Values.cloud.${camel(variable)} }}`
    case 'workflow':
      return `Write \${{ vars.${variable} }}`
    case 'shell':
      return `Write "$${variable}"`
    case 'other':
      return `Read it from a setting, such as the variable ${variable}`
  }
}

function variableOf(service: string, isAudience: boolean): string {
  return `${service.toUpperCase().replaceAll('-', '_')}_${isAudience ? 'AUDIENCE' : 'HOST'}`
}

function camel(variable: string): string {
  return variable.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The replacement of a cloud name. */
export function fixOfName(language: FixLanguage): string {
  switch (language) {
    case 'terraform':
      return 'Write var.environment, without a default, or set metadata_host: see `cloud-profile export terraform`'
    case 'typescript':
    case 'python':
    case 'go':
    case 'dotnet':
    case 'java':
      return `Configure the cloud of \`cloud-profile export ${language}\`, which fits clouds without a name too`
    case 'powershell':
      return 'Take the name from a parameter; `cloud-profile export powershell` adds the environment'
    case 'workflow':
      return 'Write ${{ vars.AZURE_ENVIRONMENT }}'
    case 'helm':
      return 'Write {{ .Values.cloud.name }}'
    case 'shell':
      return 'Write "$AZURE_CLOUD_NAME"; `cloud-profile export az` registers the cloud'
    case 'bicep':
    case 'arm':
      return 'Write environment().name'
    case 'other':
      return 'Take the name from a setting, without a default'
  }
}

const credentialFixes: Partial<Readonly<Record<FixLanguage, string>>> = {
  typescript: 'Pass { authorityHost: cloud.authorityHost } of `cloud-profile export typescript`',
  python: 'Pass authority=AUTHORITY of `cloud-profile export python`',
  go: 'Pass ClientOptions: azcore.ClientOptions{Cloud: cloudprofile.Cloud} of `cloud-profile export go`',
  dotnet: 'Set AuthorityHost = Cloud.AuthorityHost in its options, of `cloud-profile export dotnet`',
  java: 'Call .authorityHost(Cloud.AUTHORITY_HOST) of `cloud-profile export java`',
}

const clientFixes: Partial<Readonly<Record<FixLanguage, string>>> = {
  typescript:
    'Pass { endpoint: cloud.resourceManagerEndpoint, credentialScopes: [cloud.resourceManagerScope] } of `cloud-profile export typescript`',
  python:
    'Pass base_url=RESOURCE_MANAGER_ENDPOINT, credential_scopes=[RESOURCE_MANAGER_SCOPE] of `cloud-profile export python`',
  go: 'Pass &arm.ClientOptions{ClientOptions: azcore.ClientOptions{Cloud: cloudprofile.Cloud}} of `cloud-profile export go`',
  dotnet:
    'Pass new ArmClientOptions { Environment = new ArmEnvironment(Cloud.ResourceManagerEndpoint, …) } of `cloud-profile export dotnet`',
  java: 'Pass an AzureProfile with new AzureEnvironment(Cloud.ENDPOINTS) of `cloud-profile export java`',
}

/** The option to add to a construct without a cloud. */
export function fixOfConstruct(kind: ConstructKind, language: FixLanguage): string {
  switch (kind) {
    case 'credential':
      return credentialFixes[language] ?? 'Set its authority host'
    case 'management-client':
      return clientFixes[language] ?? 'Set its endpoint and audience'
    case 'connection-string':
      return `Add EndpointSuffix= and the storage suffix of the cloud. ${replacement('storage', false, language)}`
    case 'provider-block':
      return 'Set environment, or metadata_host for a private cloud: see `cloud-profile export terraform`'
    case 'login-step':
      return 'Add `environment: ${{ vars.AZURE_ENVIRONMENT }}` under `with`'
    case 'sign-in-command':
      return 'Add -Environment $env:AZURE_ENVIRONMENT; `cloud-profile export powershell` adds the environment'
  }
}
