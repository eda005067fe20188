# {{#unless isAzKnown}}
# {{#if needsPowerShellSwitch}}
param([switch] $Discover, [switch] $KeepInstanceDiscovery)
# {{/if}}
# {{#unless needsPowerShellSwitch}}
param([switch] $Discover)
# {{/unless}}
# {{/unless}}
$ErrorActionPreference = 'Stop'
function Get-Required([string] $variable) {
  $value = [Environment]::GetEnvironmentVariable($variable)
  if (-not $value) { throw "Set the environment variable $variable" }
  return $value
}
$name = '{{azName}}'
$mode = if ($env:AUTH_MODE) { $env:AUTH_MODE } elseif ($env:PLATFORM_CLIENT_SECRET) { 'clientSecret' } elseif ($env:PLATFORM_CLIENT_CERTIFICATE_PATH) { 'clientCertificate' } elseif ($env:PLATFORM_FEDERATED_TOKEN_FILE) { 'workloadIdentity' } elseif ($env:PLATFORM_CLIENT_ID) { throw 'Set PLATFORM_CLIENT_SECRET, PLATFORM_CLIENT_CERTIFICATE_PATH or PLATFORM_FEDERATED_TOKEN_FILE for PLATFORM_CLIENT_ID, or set AUTH_MODE' } else { 'deviceCode' }
$login = @{ Environment = $name }
# {{#if isFederation}}
# Beside a federation service the module wants the GUID of the directory: it appends a tenant to the path only if it is no GUID.
if ($mode -ne 'managedIdentity') {
  $login.Tenant = Get-Required 'PLATFORM_DIRECTORY_ID'
  if ($login.Tenant -notmatch '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$') { throw 'PLATFORM_DIRECTORY_ID must be a GUID' }
}
# {{/if}}
# {{#unless isFederation}}
$tenant = if ($env:PLATFORM_TENANT_ID) { $env:PLATFORM_TENANT_ID } else { '{{tenantId}}' }
if ($tenant) { $login.Tenant = $tenant } elseif ($mode -notin 'managedIdentity', 'deviceCode') { $null = Get-Required 'PLATFORM_TENANT_ID' }
# {{/unless}}
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
}
# {{#unless isPublic}}
# An older module posts the federated token to the public authority, whatever the environment says (azure-powershell 22647).
if ($mode -eq 'workloadIdentity') {
  $module = (Get-Command Connect-AzAccount).Version
  if ($module -lt [version]'2.15.0') {
    throw "Az.Accounts $module sends the federated token to the public cloud. Update it to 2.15.0 (Az 11.2.0) or later."
  }
}
# {{/unless}}
# {{#unless isAzKnown}}
# {{#if needsPowerShellSwitch}}
# The public instance discovery does not know this authority.
if (-not $KeepInstanceDiscovery) {
  $update = Get-Command Update-AzConfig -ErrorAction SilentlyContinue
  if (-not $update -or -not $update.Parameters.ContainsKey('DisableInstanceDiscovery')) {
    throw 'Az.Accounts 2.17.0 or later is needed, because an older one asks the public instance discovery. Run Update-Module Az.Accounts, or give -KeepInstanceDiscovery if this network answers it.'
  }
  Update-AzConfig -DisableInstanceDiscovery $true -Scope Process | Out-Null
}
# {{/if}}
$common = @{
  Name = $name
  AzureKeyVaultDnsSuffix = '{{keyVaultSuffixWithoutDot}}'
  AzureKeyVaultServiceEndpointResourceId = '{{keyVaultAudience}}'
  StorageEndpoint = '{{storageEndpointSuffix}}'
  ContainerRegistryEndpointSuffix = '{{containerRegistrySuffixWithoutDot}}'
}
$endpoints = @{
  ActiveDirectoryEndpoint = '{{authorityUrl}}'
  ActiveDirectoryServiceEndpointResourceId = '{{resourceManagerAudience}}'
  ResourceManagerEndpoint = '{{resourceManagerEndpoint}}'
  ServiceEndpoint = '{{serviceManagementUrl}}'
  SqlDatabaseDnsSuffix = '{{sqlServerSuffix}}'
  ManagementPortalUrl = '{{portalUrl}}'
  # {{#unless isFederation}}
  AdTenant = '{{tenant}}'
  # {{/unless}}
  GalleryEndpoint = '{{galleryUrl}}'
  GraphEndpoint = '{{directoryGraphUrl}}'
  GraphAudience = '{{directoryGraphAudience}}'
  MicrosoftGraphUrl = '{{microsoftGraphUrl}}'
  MicrosoftGraphEndpointResourceId = '{{microsoftGraphAudience}}'
  BatchEndpointResourceId = '{{batchAudienceWithoutSlash}}'
  AzureOperationalInsightsEndpointResourceId = '{{logAnalyticsAudienceWithoutSlash}}'
  DataLakeAudience = '{{dataLakeAudienceWithoutSlash}}'
}
# {{#if isFederation}}
if ($login.ContainsKey('Tenant')) { $endpoints.AdTenant = $login.Tenant }
# {{/if}}
# An older module lacks some of these.
$options = (Get-Command Add-AzEnvironment).Parameters
foreach ($values in $common, $endpoints) {
  foreach ($key in @($values.Keys)) { if (-not $options.ContainsKey($key)) { $values.Remove($key) } }
}
if ($Discover) {
  Add-AzEnvironment @common -ARMEndpoint '{{resourceManagerEndpointWithoutSlash}}' | Out-Null
  # No metadata has this suffix, and the command above forgets it.
  Set-AzEnvironment -Name $name -ContainerRegistryEndpointSuffix $common.ContainerRegistryEndpointSuffix | Out-Null
} else {
  # {{#if isFederation}}
  Add-AzEnvironment @common @endpoints -EnableAdfsAuthentication | Out-Null
  # {{/if}}
  # {{#unless isFederation}}
  Add-AzEnvironment @common @endpoints | Out-Null
  # {{/unless}}
}
# {{/unless}}
Connect-AzAccount @login
