import { servicesOf } from '../../lib/clouds/known-clouds.ts'
import {
  azCloud,
  metadataHostOf,
  storageEndpointSuffix,
  toolNameOf,
  withoutDot,
  withoutSlash,
  isVaultOutsideSuffix,
} from '../../lib/profile/tool-values.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'
import { knownCloudOf } from '../../lib/clouds/equal-values.ts'
import { scopeFor } from '../../lib/profile/endpoints.ts'
import type { TemplateValues } from './render-template.ts'

/** Whether a library must be told to leave the public instance discovery alone. None asks it beside a federation service. */
function needsSwitch(profile: CloudProfile): boolean {
  const { kind, disableInstanceDiscovery } = identityProviderOf(profile)
  return disableInstanceDiscovery && kind === 'multi-tenant'
}

/** The values of a profile under the names that templates use. */
export function templateValues(profile: CloudProfile): TemplateValues {
  const { authorityBase, authorityUrl, disableInstanceDiscovery, kind, tenantId } = identityProviderOf(profile)
  const { serviceDnsSuffixes: suffixes, serviceAudiences: audiences, resourceManagerAudience: audience } = profile
  const known = servicesOf(profile)
  const autorest = toolNameOf(profile, 'goAutorest')
  const base = storageEndpointSuffix(profile)
  return {
    authority: authorityBase,
    authorityUrl,
    authorityWithoutSlash: withoutSlash(authorityUrl),
    // The credential library of Ansible appends the tenant, also that of a federation service. A URL's own escapes leave no brace in it.
    federationAddress:
      kind === 'federation-service' ? withoutSlash(URL.parse(authorityBase)?.href ?? authorityBase) : undefined,
    disableInstanceDiscovery,
    disableVaultCheck: isVaultOutsideSuffix(profile),
    disableVaultCheckText: String(isVaultOutsideSuffix(profile)),
    disableInstanceDiscoveryText: String(disableInstanceDiscovery),
    needsSwitch: needsSwitch(profile),
    // MSAL.NET asks a federation service at port 443, unless instance discovery is off.
    needsPowerShellSwitch: needsSwitch(profile) || new URL(profile.authorityHost).port !== '',
    isFederation: kind === 'federation-service',
    isPublic: profile.environment === 'public',
    isStack: profile.environment === 'platformstackcloud',
    hasPrivateRoot: knownCloudOf(profile) === undefined,
    isKnown: autorest !== undefined,
    isAzKnown: toolNameOf(profile, 'az') !== undefined,
    tenant: tenantId,
    tenantId: tenantId ?? '',
    tenantOrWord: tenantId ?? 'TENANT_ID',
    resourceManagerEndpoint: profile.resourceManagerEndpoint,
    resourceManagerEndpointWithoutSlash: withoutSlash(profile.resourceManagerEndpoint),
    // Clients append `/.default` to an audience.
    resourceManagerAudience: withoutSlash(audience),
    storageAudience: withoutSlash(audiences.storage),
    storageAudienceAsIs: audiences.storage,
    keyVaultAudience: withoutSlash(audiences.keyVault),
    keyVaultAudienceWithSlash: audiences.keyVault,
    resourceManagerScope: scopeFor(audience),
    storageScope: scopeFor(audiences.storage),
    keyVaultScope: scopeFor(audiences.keyVault),
    storageSuffix: suffixes.storage,
    keyVaultSuffix: suffixes.keyVault,
    sqlServerSuffix: suffixes.sqlServer,
    sqlServerSuffixWithoutDot: withoutDot(suffixes.sqlServer),
    containerRegistrySuffix: suffixes.containerRegistry,
    storageEndpointSuffix: base,
    storageSuffixWithoutDot: withoutDot(suffixes.storage),
    queueSuffixWithoutDot: `queue.${base}`,
    keyVaultSuffixWithoutDot: withoutDot(suffixes.keyVault),
    containerRegistrySuffixWithoutDot: withoutDot(suffixes.containerRegistry),
    accountUrl: `https://ACCOUNT${suffixes.storage}`,
    vaultUrl: `https://VAULT${suffixes.keyVault}`,
    registryPattern: `*${suffixes.containerRegistry}`,
    portalUrl: profile.portalUrl,
    metadataHost: metadataHostOf(profile),
    azName: toolNameOf(profile, 'az') ?? azCloud(profile).name,
    autorestName: autorest ?? 'AzureStackCloud',
    externalSecretsName: autorest?.replace(/^Azure/, '') ?? '',
    terraformName: toolNameOf(profile, 'terraform') ?? '',
    stackName: toolNameOf(profile, 'terraform') ?? profile.name,
    kubeloginName: knownCloudOf(profile)?.toolNames?.['goAutorest'],
    authorityArgument: listItem(`--authority-host=${authorityBase}`),
    tenantArgument: tenantId === undefined ? undefined : listItem(`--tenant-id=${tenantId}`),
    serviceManagementUrl: known.serviceManagement?.url ?? withoutSlash(audience),
    galleryUrl: known.gallery?.url,
    directoryGraphUrl: known.directoryGraph?.url,
    microsoftGraphUrl: known.microsoftGraph?.url,
    batchAudience: known.batch?.audience,
    logAnalyticsAudience: known.logAnalytics?.audience,
    postgresqlAudience: known.postgresql?.audience,
    dataLakeAudience: known.dataLake?.audience,
    // The Az module appends `/openid` or `/.default`, and a federation service refuses two slashes.
    directoryGraphAudience: bare(known.directoryGraph?.url),
    microsoftGraphAudience: bare(known.microsoftGraph?.audience ?? known.microsoftGraph?.url),
    batchAudienceWithoutSlash: bare(known.batch?.audience),
    logAnalyticsAudienceWithoutSlash: bare(known.logAnalytics?.audience),
    dataLakeAudienceWithoutSlash: bare(known.dataLake?.audience),
    grafanaClouds: grafanaClouds(profile),
    singleSlashScope: `${withoutSlash(audience)}/.default`,
    ...pythonCloud(profile),
    services: services(profile),
    endpoints: javaEndpoints(profile),
  }
}

const bare = (audience: string | undefined) => audience && withoutSlash(audience)

/** How kubectl reads a list from one option: with commas between and double quotes around, as in a CSV file. */
const listItem = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The attributes of a cloud in `azure.cli.core.cloud` and `msrestazure.azure_cloud`. */
function pythonCloud(profile: CloudProfile) {
  const { endpoints, suffixes } = azCloud(profile)
  const { authorityBase } = identityProviderOf(profile)
  const all = {
    ...endpoints,
    resourceManager: profile.resourceManagerEndpoint,
    activeDirectory: withoutSlash(authorityBase),
  }
  const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const list = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([key, value]) => ({ name: snake(key), value }))
  return { pythonEndpoints: list(all), pythonSuffixes: list(suffixes) }
}

function services(profile: CloudProfile): readonly TemplateValues[] {
  return Object.entries(servicesOf(profile))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { dnsSuffix = '', url = '', audience = '' }]) => ({ name, dnsSuffix, url, audience }))
}

/** The keys of `com.azure.core.management.AzureEnvironment`. Values that the profile lacks are absent. */
function javaEndpoints(profile: CloudProfile): readonly TemplateValues[] {
  const { resourceManagerAudience: audience, serviceDnsSuffixes: suffixes } = profile
  const known = servicesOf(profile)
  const endpoints: Readonly<Record<string, string | undefined>> = {
    resourceManagerEndpointUrl: profile.resourceManagerEndpoint,
    // The management clients append `/.default` to this one: with its final slash the scope names the audience exactly.
    managementEndpointUrl: audience,
    activeDirectoryResourceId: audience,
    storageEndpointSuffix: `.${storageEndpointSuffix(profile)}`,
    keyVaultDnsSuffix: suffixes.keyVault,
    sqlServerHostnameSuffix: suffixes.sqlServer,
    portalUrl: profile.portalUrl,
    galleryEndpointUrl: known.gallery?.url,
    activeDirectoryGraphResourceId: known.directoryGraph?.url,
    microsoftGraphResourceId: known.microsoftGraph?.url,
    sqlManagementEndpointUrl: known.sqlManagement?.url,
    azureLogAnalyticsResourceId: known.logAnalytics?.audience,
    azureApplicationInsightsResourceId: known.applicationInsights?.url,
    dataLakeEndpointResourceId: known.dataLake?.audience,
  }
  return Object.entries(endpoints).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
}

/** Source: `azsettings/cloud_settings.go` of grafana-azure-sdk-go 2.4. Its data source puts a path behind each address. */
function grafanaClouds(profile: CloudProfile): string {
  const { displayName, portalUrl, resourceManagerEndpoint } = profile
  const { logAnalytics, postgresql } = servicesOf(profile)
  const addresses = {
    resourceManager: resourceManagerEndpoint,
    portal: portalUrl,
    logAnalytics: logAnalytics?.url,
    ossrdbmsResourceId: postgresql?.audience,
  }
  const properties = Object.fromEntries(
    Object.entries(addresses).flatMap(([name, url]) => (url === undefined ? [] : [[name, withoutSlash(url)]])),
  )
  const cloud = {
    name: azCloud(profile).name,
    displayName,
    aadAuthority: identityProviderOf(profile).authorityBase,
    properties,
  }
  // Grafana replaces `${…}`, `$__file{…}` and `%(…)s` in its settings.
  return JSON.stringify([cloud])
    .replaceAll('$', String.raw`\u0024`)
    .replaceAll('%', String.raw`\u0025`)
}
