import { withoutFinalSlashes } from '../../lib/base/address.ts'
import { servicesOf } from '../../lib/clouds/known-clouds.ts'
import { storageEndpointSuffix, toolNameOf, withoutDot } from '../../lib/clouds/tool-names.ts'
import { azCloud } from '../../lib/profile/az-cloud.ts'
import { type ResolvedCloud, resolveProvider } from '../../lib/profile/identity-provider.ts'
import { defineExport, type Source, templateOf } from './define-export.ts'
import { quotePowerShell } from './quote.ts'

const powershell = templateOf(quotePowerShell, (flag) => `$${flag}`)

/** A script for the Az module. It adds the environment, if the module doesn't know the cloud by name, and signs in. */
export const powershellExport = defineExport({
  name: 'powershell',
  what: 'PowerShell script: add the environment, sign in',
  group: 'command-line',
  comment: '#',
  isScript: true,
  addByHand:
    'PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET, AUTH_MODE=managedIdentity, or a device code; for any other sign-in run `Connect-AzAccount -Environment NAME` afterwards; for a federation service PLATFORM_DIRECTORY_ID; Az.Accounts 2.17.0 or later; SSL_CERT_FILE on Linux',
  reader: 'the grammar of PowerShell; the parameter sets of Az.Accounts 2.13.1',
  notes: () => [
    'The module writes the secret of a service principal to keystore.cache in the folder .Azure of the user. To keep it in memory only,',
    'run first: Disable-AzContextAutosave -Scope Process',
  ],
  write(profile) {
    const name = toolNameOf(profile, 'az')
    const cloud = resolveProvider({ profile })
    const { kind, tenantId, disableInstanceDiscovery } = cloud.provider
    const isFederation = kind === 'federation-service'
    // For a federation service on another port than 443, MSAL.NET with instance discovery sends requests to port 443.
    const disables = (disableInstanceDiscovery && !isFederation) || new URL(profile.authorityHost).port !== ''
    // The module appends a tenant to the path of a federation service, unless the tenant is a GUID.
    const tenant = isFederation
      ? powershell`if ($env:PLATFORM_DIRECTORY_ID -notmatch '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$') { throw 'Set PLATFORM_DIRECTORY_ID to the GUID of the directory' }
$tenant = $env:PLATFORM_DIRECTORY_ID`
      : powershell`$tenant = if ($env:PLATFORM_TENANT_ID) { $env:PLATFORM_TENANT_ID } else { ${tenantId ?? ''} }`
    return powershell`
$ErrorActionPreference = 'Stop'
$name = ${name ?? azCloud(cloud).name}
${tenant}
${name === undefined && disables ? withoutDiscovery : undefined}
${name === undefined ? addEnvironment(cloud, isFederation) : undefined}
$login = @{ Environment = $name }
if ($tenant) { $login.Tenant = $tenant }
if ($env:AUTH_MODE -eq 'managedIdentity') {
  $login.Identity = $true
  if ($env:PLATFORM_CLIENT_ID) { $login.AccountId = $env:PLATFORM_CLIENT_ID }
} elseif ($env:PLATFORM_CLIENT_SECRET -and $env:PLATFORM_CLIENT_ID) {
  $secret = ConvertTo-SecureString $env:PLATFORM_CLIENT_SECRET -AsPlainText -Force
  $login.Credential = New-Object System.Management.Automation.PSCredential($env:PLATFORM_CLIENT_ID, $secret)
  $login.ServicePrincipal = $true
} elseif ($env:PLATFORM_CLIENT_SECRET -or $env:PLATFORM_CLIENT_ID) {
  throw 'Set both PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET, or AUTH_MODE=managedIdentity'
} else {
  $login.UseDeviceAuthentication = $true
}
Connect-AzAccount @login`
  },
})

const withoutDiscovery = powershell`# The public instance discovery does not know this authority.
$update = Get-Command Update-AzConfig -ErrorAction SilentlyContinue
if (-not $update -or -not $update.Parameters.ContainsKey('DisableInstanceDiscovery')) { throw 'Run Update-Module Az.Accounts: before 2.17.0 it always requests the public instance discovery' }
Update-AzConfig -DisableInstanceDiscovery $true -Scope Process | Out-Null`

function addEnvironment({ profile, provider }: ResolvedCloud, isFederation: boolean): Source {
  const { serviceDnsSuffixes: suffixes, serviceAudiences: audiences } = profile
  const services = servicesOf(profile)
  // The module appends `/openid` or `/.default`, and a federation service refuses two slashes.
  const bare = (address: string | undefined) => address && withoutFinalSlashes(address)
  const audience = withoutFinalSlashes(profile.resourceManagerAudience)
  const adfs = isFederation ? powershell` -EnableAdfsAuthentication ` : powershell` `
  return powershell`$environment = @{
  Name = $name
  ActiveDirectoryEndpoint = ${provider.authorityUrl}
  ActiveDirectoryServiceEndpointResourceId = ${audience}
  AdTenant = $tenant
  ResourceManagerEndpoint = ${profile.resourceManagerEndpoint}
  ServiceEndpoint = ${services.serviceManagement?.url ?? audience}
  ManagementPortalUrl = ${profile.portalUrl}
  StorageEndpoint = ${storageEndpointSuffix(profile)}
  AzureKeyVaultDnsSuffix = ${withoutDot(suffixes.keyVault)}
  AzureKeyVaultServiceEndpointResourceId = ${withoutFinalSlashes(audiences.keyVault)}
  SqlDatabaseDnsSuffix = ${suffixes.sqlServer}
  ContainerRegistryEndpointSuffix = ${withoutDot(suffixes.containerRegistry)}
  GalleryEndpoint = ${services.gallery?.url}
  GraphEndpoint = ${services.directoryGraph?.url}
  GraphAudience = ${bare(services.directoryGraph?.url)}
  MicrosoftGraphUrl = ${services.microsoftGraph?.url}
  MicrosoftGraphEndpointResourceId = ${bare(services.microsoftGraph?.audience ?? services.microsoftGraph?.url)}
  BatchEndpointResourceId = ${bare(services.batch?.audience)}
  AzureOperationalInsightsEndpointResourceId = ${bare(services.logAnalytics?.audience)}
  DataLakeAudience = ${bare(services.dataLake?.audience)}
}
# Older modules do not have all of these options, and the tenant may be unknown.
$options = (Get-Command Add-AzEnvironment).Parameters
foreach ($key in @($environment.Keys)) { if (-not $environment[$key] -or -not $options.ContainsKey($key)) { $environment.Remove($key) } }
Add-AzEnvironment @environment${adfs}| Out-Null`
}
