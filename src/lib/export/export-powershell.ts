import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf, type IdentityProvider } from '../profile/identity-provider.ts'
import { azCloud } from '../profile/az-cloud.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quotePowerShell as quote } from './quote.ts'
import { knownCloudOf } from '../clouds/known-cloud-of.ts'
import { storageEndpointSuffix, withoutDot, withoutSlash } from '../profile/tool-values.ts'

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
  addByHand: 'PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET, or a device code',
  read: 'Az.Accounts 2.13.1',
  write,
})

function write(profile: CloudProfile): ExportText {
  const known = knownCloudOf(profile)
  const provider = identityProviderOf(profile)
  const isFederation = provider.kind === 'federation-service'
  const notes =
    known === undefined
      ? [
          'Give -Discover to add it by the metadata of its resource manager instead; values that no metadata contains are then missing.',
        ]
      : []
  const body = `param([switch] $Discover)
$ErrorActionPreference = 'Stop'
$name = ${quote(known?.az ?? azCloud(profile).name)}
${known === undefined ? addition(profile, provider) : ''}$tenant = if ($env:PLATFORM_TENANT_ID) { $env:PLATFORM_TENANT_ID } else { ${quote(isFederation ? '' : (provider.tenantId ?? ''))} }
$login = @{ Environment = $name }
if ($tenant) { $login.Tenant = $tenant }
if ($env:PLATFORM_CLIENT_SECRET) {
  $secret = ConvertTo-SecureString $env:PLATFORM_CLIENT_SECRET -AsPlainText -Force
  $login.Credential = New-Object System.Management.Automation.PSCredential($env:PLATFORM_CLIENT_ID, $secret)
  Connect-AzAccount @login -ServicePrincipal
} else {
  Connect-AzAccount @login -UseDeviceAuthentication
}
`
  return { notes, body }
}

function addition(profile: CloudProfile, provider: IdentityProvider): string {
  const vault = {
    AzureKeyVaultDnsSuffix: withoutDot(profile.serviceDnsSuffixes.keyVault),
    AzureKeyVaultServiceEndpointResourceId: withoutSlash(profile.serviceAudiences.keyVault),
    StorageEndpoint: storageEndpointSuffix(profile),
  }
  const { extensions = {} } = profile
  const explicit = {
    ActiveDirectoryEndpoint: provider.authorityUrl,
    ActiveDirectoryServiceEndpointResourceId: profile.resourceManagerAudience,
    ResourceManagerEndpoint: profile.resourceManagerEndpoint,
    ServiceEndpoint: extensions.serviceManagement ?? profile.resourceManagerAudience,
    SqlDatabaseDnsSuffix: profile.serviceDnsSuffixes.sqlServer,
    ManagementPortalUrl: profile.portalUrl,
    AdTenant: provider.tenantId,
    GalleryEndpoint: extensions.gallery,
    GraphEndpoint: extensions.graph,
    GraphAudience: extensions.graph,
    MicrosoftGraphUrl: extensions.microsoftGraph,
    MicrosoftGraphEndpointResourceId: extensions.microsoftGraph,
    BatchEndpointResourceId: extensions.batch,
    AzureOperationalInsightsEndpointResourceId: extensions.logAnalytics,
    DataLakeAudience: extensions.dataLake,
  }
  return `$common = @{
  Name = $name
${table(vault)}}
if ($Discover) {
  Add-AzEnvironment @common -ARMEndpoint ${quote(withoutSlash(profile.resourceManagerEndpoint))} | Out-Null
} else {
  $endpoints = @{
${table(explicit, '    ')}  }
  # An older module lacks some of these.
  $options = (Get-Command Add-AzEnvironment).Parameters
  foreach ($key in @($endpoints.Keys)) { if (-not $options.ContainsKey($key)) { $endpoints.Remove($key) } }
  Add-AzEnvironment @common @endpoints${provider.kind === 'federation-service' ? ' -EnableAdfsAuthentication' : ''} | Out-Null
}
${
  provider.disableInstanceDiscovery
    ? `# The public instance discovery does not know this authority.
Update-AzConfig -DisableInstanceDiscovery $true | Out-Null
`
    : ''
}`
}

/** Entries of a hash table, one a line. */
function table(values: Readonly<Record<string, string | undefined>>, indent = '  '): string {
  return Object.entries(values)
    .flatMap(([key, value]) => (value === undefined ? [] : [`${indent}${key} = ${quote(value)}\n`]))
    .join('')
}
