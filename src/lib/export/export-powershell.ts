import { servicesOf } from '../clouds/services-of.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf, type IdentityProvider } from '../profile/identity-provider.ts'
import { azCloud } from '../profile/az-cloud.ts'
import { toolNameOf, storageEndpointSuffix, withoutDot, withoutSlash } from '../profile/tool-values.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quotePowerShell as quote } from './quote.ts'
import { needsSwitch as needsSwitchWithTenants } from './template-values.ts'

/**
 * A script for the Az module: adds the environment with every endpoint given, or, with `-Discover`, by the resource
 * manager's endpoint alone, whose metadata names the rest; then signs in. An environment that the module knows is used
 * by its name.
 */
export const powershellExport = defineExport({
  name: 'powershell',
  what: 'PowerShell script: add the environment, sign in',
  group: 'command-line',
  comment: '#',
  isScript: true,
  addByHand:
    'the variables of one sign-in: PLATFORM_CLIENT_ID with PLATFORM_CLIENT_SECRET, PLATFORM_CLIENT_CERTIFICATE_PATH (PKCS#12) or PLATFORM_FEDERATED_TOKEN_FILE; AUTH_MODE=managedIdentity; or a device code. With a federation service PLATFORM_DIRECTORY_ID. Az.Accounts 2.17.0 or later; SSL_CERT_FILE on Linux',
  read: 'Az.Accounts 2.13.1',
  write,
})

function write(profile: CloudProfile): ExportText {
  const known = toolNameOf(profile, 'az')
  const provider = identityProviderOf(profile)
  const notes = [
    ...(known === undefined
      ? [
          'Give -Discover to add it by the metadata of its resource manager instead; values that no metadata contains are then missing.',
        ]
      : []),
    'AUTH_MODE chooses the sign-in: clientSecret, clientCertificate, workloadIdentity, managedIdentity or deviceCode.',
    'The module keeps the secret of a service principal in keystore.cache in the folder .Azure of the user. To keep it in memory only,',
    'run first: Disable-AzContextAutosave -Scope Process',
  ]
  const body = `${known === undefined ? parameters(profile) : ''}$ErrorActionPreference = 'Stop'
function Get-Required([string] $variable) {
  $value = [Environment]::GetEnvironmentVariable($variable)
  if (-not $value) { throw "Set the environment variable $variable" }
  return $value
}
$name = ${quote(known ?? azCloud(profile).name)}
$mode = if ($env:AUTH_MODE) { $env:AUTH_MODE } elseif ($env:PLATFORM_CLIENT_SECRET) { 'clientSecret' } elseif ($env:PLATFORM_CLIENT_CERTIFICATE_PATH) { 'clientCertificate' } elseif ($env:PLATFORM_FEDERATED_TOKEN_FILE) { 'workloadIdentity' } elseif ($env:PLATFORM_CLIENT_ID) { throw 'Set PLATFORM_CLIENT_SECRET, PLATFORM_CLIENT_CERTIFICATE_PATH or PLATFORM_FEDERATED_TOKEN_FILE for PLATFORM_CLIENT_ID, or set AUTH_MODE' } else { 'deviceCode' }
$login = @{ Environment = $name }
${tenant(provider)}switch ($mode) {
  'clientSecret' {
    $secret = ConvertTo-SecureString (Get-Required 'PLATFORM_CLIENT_SECRET') -AsPlainText -Force
    $login.Credential = New-Object System.Management.Automation.PSCredential((Get-Required 'PLATFORM_CLIENT_ID'), $secret)
    $login.ServicePrincipal = $true
  }
  'clientCertificate' {
    $path = Get-Required 'PLATFORM_CLIENT_CERTIFICATE_PATH'
    if ((Get-Content -LiteralPath $path -TotalCount 1) -like '-----BEGIN*') {
      throw "$path is a PEM file, and the module reads PKCS#12: openssl pkcs12 -export -in FILE.pem -out FILE.pfx"
    }
    $login.ApplicationId = Get-Required 'PLATFORM_CLIENT_ID'
    $login.CertificatePath = $path
    if ($env:PLATFORM_CLIENT_CERTIFICATE_PASSWORD) {
      $login.CertificatePassword = ConvertTo-SecureString $env:PLATFORM_CLIENT_CERTIFICATE_PASSWORD -AsPlainText -Force
    }
    $login.ServicePrincipal = $true
  }
  'workloadIdentity' {
    $login.ApplicationId = Get-Required 'PLATFORM_CLIENT_ID'
    $login.FederatedToken = (Get-Content -LiteralPath (Get-Required 'PLATFORM_FEDERATED_TOKEN_FILE') -Raw).Trim()
    $login.ServicePrincipal = $true
  }
  'managedIdentity' {
    $login.Identity = $true
    if ($env:PLATFORM_CLIENT_ID) { $login.AccountId = $env:PLATFORM_CLIENT_ID }
  }
  'deviceCode' { $login.UseDeviceAuthentication = $true }
  default { throw "This script has no sign-in for AUTH_MODE=$mode" }
}
${federatedCheck(profile)}${known === undefined ? addition(profile, provider) : ''}Connect-AzAccount @login
`
  return { notes, body }
}

function parameters(profile: CloudProfile): string {
  if (!needsSwitch(profile)) return 'param([switch] $Discover)\n'
  return `param([switch] $Discover, [switch] $KeepInstanceDiscovery)
`
}

/** The module appends a tenant to the path of a federation service only if it is no GUID. */
function tenant({ kind, tenantId = '' }: IdentityProvider): string {
  if (kind === 'federation-service') {
    return `# Beside a federation service the module wants the GUID of the directory.
if ($mode -ne 'managedIdentity') {
  $login.Tenant = Get-Required 'PLATFORM_DIRECTORY_ID'
  if ($login.Tenant -notmatch '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$') { throw 'PLATFORM_DIRECTORY_ID must be a GUID' }
}
`
  }
  return `$tenant = if ($env:PLATFORM_TENANT_ID) { $env:PLATFORM_TENANT_ID } else { ${quote(tenantId)} }
if ($tenant) { $login.Tenant = $tenant } elseif ($mode -notin 'managedIdentity', 'deviceCode') { $null = Get-Required 'PLATFORM_TENANT_ID' }
`
}

/** MSAL.NET asks a federation service at port 443, unless instance discovery is off. */
function needsSwitch(profile: CloudProfile): boolean {
  return needsSwitchWithTenants(profile) || new URL(profile.authorityHost).port !== ''
}

/** The module appends `/openid` or `/.default` to an audience, and a federation service refuses two slashes. */
const bare = (audience: string | undefined) => audience && withoutSlash(audience)

function addition(profile: CloudProfile, provider: IdentityProvider): string {
  const { serviceDnsSuffixes: suffixes } = profile
  const services = servicesOf(profile)
  const audience = withoutSlash(profile.resourceManagerAudience)
  const common = {
    AzureKeyVaultDnsSuffix: withoutDot(suffixes.keyVault),
    AzureKeyVaultServiceEndpointResourceId: withoutSlash(profile.serviceAudiences.keyVault),
    StorageEndpoint: storageEndpointSuffix(profile),
    ContainerRegistryEndpointSuffix: withoutDot(suffixes.containerRegistry),
  }
  const explicit = {
    ActiveDirectoryEndpoint: provider.authorityUrl,
    ActiveDirectoryServiceEndpointResourceId: audience,
    ResourceManagerEndpoint: profile.resourceManagerEndpoint,
    ServiceEndpoint: services.serviceManagement?.url ?? audience,
    SqlDatabaseDnsSuffix: suffixes.sqlServer,
    ManagementPortalUrl: profile.portalUrl,
    ...(provider.kind === 'multi-tenant' ? { AdTenant: provider.tenantId } : {}),
    GalleryEndpoint: services.gallery?.url,
    GraphEndpoint: services.directoryGraph?.url,
    GraphAudience: bare(services.directoryGraph?.url),
    MicrosoftGraphUrl: services.microsoftGraph?.url,
    MicrosoftGraphEndpointResourceId: bare(services.microsoftGraph?.audience ?? services.microsoftGraph?.url),
    BatchEndpointResourceId: bare(services.batch?.audience),
    AzureOperationalInsightsEndpointResourceId: bare(services.logAnalytics?.audience),
    DataLakeAudience: bare(services.dataLake?.audience),
  }
  return `${needsSwitch(profile) ? instanceDiscovery : ''}$common = @{
  Name = $name
${table(common)}}
$endpoints = @{
${table(explicit)}}
${provider.kind === 'federation-service' ? `if ($login.ContainsKey('Tenant')) { $endpoints.AdTenant = $login.Tenant }\n` : ''}# An older module lacks some of these.
$options = (Get-Command Add-AzEnvironment).Parameters
foreach ($values in $common, $endpoints) {
  foreach ($key in @($values.Keys)) { if (-not $options.ContainsKey($key)) { $values.Remove($key) } }
}
if ($Discover) {
  Add-AzEnvironment @common -ARMEndpoint ${quote(withoutSlash(profile.resourceManagerEndpoint))} | Out-Null
  # No metadata has this suffix, and the command above forgets it.
  Set-AzEnvironment -Name $name -ContainerRegistryEndpointSuffix $common.ContainerRegistryEndpointSuffix | Out-Null
} else {
  Add-AzEnvironment @common @endpoints${provider.kind === 'federation-service' ? ' -EnableAdfsAuthentication' : ''} | Out-Null
}
`
}

/** An older module posts the federated token to the public authority, whatever the environment says (azure-powershell 22647). */
function federatedCheck({ environment }: CloudProfile): string {
  if (environment === 'public') return ''
  return `if ($mode -eq 'workloadIdentity') {
  $module = (Get-Command Connect-AzAccount).Version
  if ($module -lt [version]'2.15.0') {
    throw "Az.Accounts $module sends the federated token to the public cloud. Update it to 2.15.0 (Az 11.2.0) or later."
  }
}
`
}

/** Only for this process: the configuration of the user holds for all clouds. */
const instanceDiscovery = `# The public instance discovery does not know this authority.
if (-not $KeepInstanceDiscovery) {
  $update = Get-Command Update-AzConfig -ErrorAction SilentlyContinue
  if (-not $update -or -not $update.Parameters.ContainsKey('DisableInstanceDiscovery')) {
    throw 'Az.Accounts 2.17.0 or later is needed, because an older one asks the public instance discovery. Run Update-Module Az.Accounts, or give -KeepInstanceDiscovery if this network answers it.'
  }
  Update-AzConfig -DisableInstanceDiscovery $true -Scope Process | Out-Null
}
`

/** Entries of a hash table, one a line. */
function table(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .flatMap(([key, value]) => (value === undefined ? [] : [`  ${key} = ${quote(value)}\n`]))
    .join('')
}
