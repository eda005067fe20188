import { withoutFinalSlashes } from '../../lib/base/address.ts'
import { servicesOf } from '../../lib/clouds/known-clouds.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { storageEndpointSuffix, toolNameOf, withoutDot } from '../../lib/clouds/tool-names.ts'
import { azCloud } from '../../lib/profile/az-cloud.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'
import { defineExport } from './define-export.ts'
import { quotePowerShell } from './quote.ts'
import { templateOf, type Source } from './template.ts'

const powershell = templateOf(quotePowerShell, (flag) => `$${flag}`)

/**
 * A script for the Az module. It adds the environment with every endpoint, or, with `-Discover`, by the resource manager's endpoint alone,
 * whose metadata names the rest; then it signs in. The module knows some environments by name.
 */
export const powershellExport = defineExport({
  name: 'powershell',
  what: 'PowerShell script: add the environment, sign in',
  group: 'command-line',
  comment: '#',
  isScript: true,
  addByHand:
    'the variables of one sign-in: PLATFORM_CLIENT_ID with PLATFORM_CLIENT_SECRET, PLATFORM_CLIENT_CERTIFICATE_PATH (PKCS#12) or PLATFORM_FEDERATED_TOKEN_FILE; AUTH_MODE=managedIdentity; or a device code. With a federation service PLATFORM_DIRECTORY_ID. Az.Accounts 2.17.0 or later; SSL_CERT_FILE on Linux',
  reader: 'the grammar of PowerShell; the parameter sets of Az.Accounts 2.13.1',
  notes: (profile) => [
    ...(toolNameOf(profile, 'az') === undefined
      ? [
          'Give -Discover to add it by the metadata of its resource manager instead; values that no metadata contains are then missing.',
        ]
      : []),
    'AUTH_MODE chooses the sign-in: clientSecret, clientCertificate, workloadIdentity, managedIdentity or deviceCode.',
    'The module keeps the secret of a service principal in keystore.cache in the folder .Azure of the user. To keep it in memory only,',
    'run first: Disable-AzContextAutosave -Scope Process',
  ],
  write(profile) {
    const name = toolNameOf(profile, 'az')
    const { kind, disableInstanceDiscovery } = identityProviderOf(profile)
    // MSAL.NET asks a federation service at port 443, unless instance discovery is off.
    const needsSwitch =
      (disableInstanceDiscovery && kind === 'multi-tenant') || new URL(profile.authorityHost).port !== ''
    return powershell`
${name === undefined ? parameters(needsSwitch) : undefined}
${signIn(profile, name ?? azCloud(profile).name)}
${profile.environment === 'public' ? undefined : oldModules}
${name === undefined && needsSwitch ? withoutDiscovery : undefined}
${name === undefined ? addEnvironment(profile, azCloud(profile).name) : undefined}
Connect-AzAccount @login`
  },
})

const parameters = (needsSwitch: boolean): Source =>
  needsSwitch
    ? powershell`param([switch] $Discover, [switch] $KeepInstanceDiscovery)`
    : powershell`param([switch] $Discover)`

function signIn(profile: CloudProfile, name: string): Source {
  const { kind, tenantId } = identityProviderOf(profile)
  const tenant =
    kind === 'federation-service'
      ? powershell`# Beside a federation service the module wants the GUID of the directory: it appends a tenant to the path only if it is no GUID.
if ($mode -ne 'managedIdentity') {
  $login.Tenant = Get-Required 'PLATFORM_DIRECTORY_ID'
  if ($login.Tenant -notmatch '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$') { throw 'PLATFORM_DIRECTORY_ID must be a GUID' }
}`
      : powershell`$tenant = if ($env:PLATFORM_TENANT_ID) { $env:PLATFORM_TENANT_ID } else { ${tenantId ?? ''} }
if ($tenant) { $login.Tenant = $tenant } elseif ($mode -notin 'managedIdentity', 'deviceCode') { $null = Get-Required 'PLATFORM_TENANT_ID' }`
  return powershell`$ErrorActionPreference = 'Stop'
function Get-Required([string] $variable) {
  $value = [Environment]::GetEnvironmentVariable($variable)
  if (-not $value) { throw "Set the environment variable $variable" }
  return $value
}
$name = ${name}
$mode = if ($env:AUTH_MODE) { $env:AUTH_MODE } elseif ($env:PLATFORM_CLIENT_SECRET) { 'clientSecret' } elseif ($env:PLATFORM_CLIENT_CERTIFICATE_PATH) { 'clientCertificate' } elseif ($env:PLATFORM_FEDERATED_TOKEN_FILE) { 'workloadIdentity' } elseif ($env:PLATFORM_CLIENT_ID) { throw 'Set PLATFORM_CLIENT_SECRET, PLATFORM_CLIENT_CERTIFICATE_PATH or PLATFORM_FEDERATED_TOKEN_FILE for PLATFORM_CLIENT_ID, or set AUTH_MODE' } else { 'deviceCode' }
$login = @{ Environment = $name }
${tenant}
switch ($mode) {
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
}`
}

const oldModules = powershell`# An older module posts the federated token to the public authority, whatever the environment says (azure-powershell 22647).
if ($mode -eq 'workloadIdentity') {
  $module = (Get-Command Connect-AzAccount).Version
  if ($module -lt [version]'2.15.0') {
    throw "Az.Accounts $module sends the federated token to the public cloud. Update it to 2.15.0 (Az 11.2.0) or later."
  }
}`

const withoutDiscovery = powershell`# The public instance discovery does not know this authority.
if (-not $KeepInstanceDiscovery) {
  $update = Get-Command Update-AzConfig -ErrorAction SilentlyContinue
  if (-not $update -or -not $update.Parameters.ContainsKey('DisableInstanceDiscovery')) {
    throw 'Az.Accounts 2.17.0 or later is needed, because an older one asks the public instance discovery. Run Update-Module Az.Accounts, or give -KeepInstanceDiscovery if this network answers it.'
  }
  Update-AzConfig -DisableInstanceDiscovery $true -Scope Process | Out-Null
}`

function addEnvironment(profile: CloudProfile, name: string): Source {
  const { authorityUrl, kind, tenantId } = identityProviderOf(profile)
  const { serviceDnsSuffixes: suffixes, serviceAudiences: audiences } = profile
  const services = servicesOf(profile)
  const isFederation = kind === 'federation-service'
  // The module appends \`/openid\` or \`/.default\`, and a federation service refuses two slashes.
  const bare = (address: string | undefined) => address && withoutFinalSlashes(address)
  const audience = withoutFinalSlashes(profile.resourceManagerAudience)
  const tenant = isFederation
    ? powershell`if ($login.ContainsKey('Tenant')) { $endpoints.AdTenant = $login.Tenant }`
    : undefined
  const adfs = isFederation ? powershell` -EnableAdfsAuthentication ` : powershell` `
  return powershell`$common = @{
  Name = ${name}
  AzureKeyVaultDnsSuffix = ${withoutDot(suffixes.keyVault)}
  AzureKeyVaultServiceEndpointResourceId = ${withoutFinalSlashes(audiences.keyVault)}
  StorageEndpoint = ${storageEndpointSuffix(profile)}
  ContainerRegistryEndpointSuffix = ${withoutDot(suffixes.containerRegistry)}
}
$endpoints = @{
  ActiveDirectoryEndpoint = ${authorityUrl}
  ActiveDirectoryServiceEndpointResourceId = ${audience}
  ResourceManagerEndpoint = ${profile.resourceManagerEndpoint}
  ServiceEndpoint = ${services.serviceManagement?.url ?? audience}
  SqlDatabaseDnsSuffix = ${suffixes.sqlServer}
  ManagementPortalUrl = ${profile.portalUrl}
  AdTenant = ${isFederation ? undefined : tenantId}
  GalleryEndpoint = ${services.gallery?.url}
  GraphEndpoint = ${services.directoryGraph?.url}
  GraphAudience = ${bare(services.directoryGraph?.url)}
  MicrosoftGraphUrl = ${services.microsoftGraph?.url}
  MicrosoftGraphEndpointResourceId = ${bare(services.microsoftGraph?.audience ?? services.microsoftGraph?.url)}
  BatchEndpointResourceId = ${bare(services.batch?.audience)}
  AzureOperationalInsightsEndpointResourceId = ${bare(services.logAnalytics?.audience)}
  DataLakeAudience = ${bare(services.dataLake?.audience)}
}
${tenant}
# An older module lacks some of these.
$options = (Get-Command Add-AzEnvironment).Parameters
foreach ($values in $common, $endpoints) {
  foreach ($key in @($values.Keys)) { if (-not $options.ContainsKey($key)) { $values.Remove($key) } }
}
if ($Discover) {
  Add-AzEnvironment @common -ARMEndpoint ${withoutFinalSlashes(profile.resourceManagerEndpoint)} | Out-Null
  # No metadata has this suffix, and the command above forgets it.
  Set-AzEnvironment -Name $name -ContainerRegistryEndpointSuffix $common.ContainerRegistryEndpointSuffix | Out-Null
} else {
  Add-AzEnvironment @common @endpoints${adfs}| Out-Null
}`
}
