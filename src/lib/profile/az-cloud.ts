import { equalUrls, withoutFinalSlashes } from '../base/address.ts'
import { withoutUndefined } from '../base/json.ts'
import { quoteShell } from '../base/printable.ts'
import { knownCloudOf } from '../clouds/equal-values.ts'
import { servicesOf, knownClouds, usualRegistryAudience } from '../clouds/known-clouds.ts'
import { storageEndpointSuffix, toolNameOf, withoutDot } from '../clouds/tool-names.ts'
import { isPlaceholder } from './field-path.ts'
import type { ResolvedCloud } from './identity-provider.ts'

// The commands that register a cloud in the platform command-line tool. A warning shows them, and `export az` makes a script of them.

/** `az` and the providers of Terraform require an address of the retired directory graph. In this reserved domain it reaches no host. */
const unknownGraph = 'https://graph.placeholder.invalid/'

/**
 * The registration of a profile's cloud in the form of `az cloud register --cloud-config`, with all endpoints that `az` requires. If one is
 * missing, `az` requests metadata at an address with a double slash. It appends `/metadata/…` and `/.default`, so final slashes are removed.
 */
export function azCloud({ profile, provider }: ResolvedCloud) {
  const { serviceDnsSuffixes: suffixes, portalUrl } = profile
  const services = servicesOf(profile)
  const endpoints: Readonly<Record<string, string>> = withoutUndefined({
    resourceManager: withoutFinalSlashes(profile.resourceManagerEndpoint),
    activeDirectory: withoutFinalSlashes(provider.authorityUrl),
    activeDirectoryResourceId: withoutFinalSlashes(profile.resourceManagerAudience),
    activeDirectoryGraphResourceId: services.directoryGraph?.url ?? unknownGraph,
    portal: portalUrl && withoutFinalSlashes(portalUrl),
    microsoftGraphResourceId: services.microsoftGraph?.audience,
    gallery: services.gallery?.url,
    batchResourceId: services.batch?.audience,
    logAnalyticsResourceId: services.logAnalytics?.audience,
    appInsightsResourceId: services.applicationInsights?.audience,
    sqlManagement: services.sqlManagement?.url,
    ossrdbmsResourceId: services.postgresql?.audience,
    activeDirectoryDataLakeResourceId: services.dataLake?.audience,
    management: services.serviceManagement?.url,
  })
  const suffixesByKey = Object.entries({
    storageEndpoint: storageEndpointSuffix(profile),
    keyvaultDns: suffixes.keyVault,
    sqlServerHostname: suffixes.sqlServer,
    acrLoginServerEndpoint: suffixes.containerRegistry,
  }).filter(([, suffix]) => !isPlaceholder(`.${withoutDot(suffix)}`))
  return { name: registrationName(profile.name), endpoints, suffixes: Object.fromEntries(suffixesByKey) }
}

/** What `az` takes from JSON only: the portal and the audiences of services have no option. */
const withoutOption = /^portal$|^(?!activeDirectory).*ResourceId$/

/** One call of `az`. Each shell quotes the values of the options differently. */
export interface AzStep {
  readonly command: string
  readonly options: readonly (readonly [option: string, value: string])[]
}

/** The calls that make the cloud of a profile the active one of `az`, before the login. If `az` knows the cloud, one call is enough. */
export function azSteps(cloud: ResolvedCloud): AzStep[] {
  const { profile, provider } = cloud
  const known = toolNameOf(profile, 'az')
  if (known !== undefined) return [{ command: 'cloud set', options: [['name', known]] }]
  const { name, endpoints, suffixes } = azCloud(cloud)
  const optionsOf = (kind: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values)
      .filter(([key]) => !withoutOption.test(key))
      .map(([key, value]) => [`${kind}-${key.replace(/[A-Z]/g, '-$&').toLowerCase()}`, value] as const)
  const registry = servicesOf(profile).containerRegistry?.audience
  const configure = (setting: string): AzStep => ({ command: `config set ${setting}`, options: [] })
  return [
    {
      command: 'cloud register',
      options: [['name', name], ...optionsOf('endpoint', endpoints), ...optionsOf('suffix', suffixes)],
    },
    { command: 'cloud set', options: [['name', name]] },
    ...(provider.disableInstanceDiscovery ? [configure('core.instance_discovery=false')] : []),
    ...(registry === undefined || equalUrls(registry, usualRegistryAudience)
      ? []
      : [configure(quoteShell(`acr.audience_resource=${registry}`))]),
  ]
}

/** `az` keeps clouds in an INI file, reads `@…` as a file's name, finds names in lower case only, and refuses the name of a built-in cloud. */
function registrationName(name: string): string {
  const safe = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-.]+/, '')
    .replace(/(?<![-.])[-.]+$/, '')
  const reserved = ['AzureGermanCloud', ...knownClouds.flatMap(({ toolNames }) => toolNames?.['az'] ?? [])]
  if (reserved.some((each) => each.toLowerCase() === safe)) return `${safe}-profile`
  return safe === '' ? 'cloud-profile' : safe
}

/** The commands that make the tool know a cloud, and sign in. Empty if the tool knows the cloud, or if its addresses are placeholders. */
export function cliRegistrationCommands(cloud: ResolvedCloud): string[] {
  const { profile, provider, tenantId } = cloud
  const { authorityHost, resourceManagerEndpoint, resourceManagerAudience } = profile
  if ([authorityHost, resourceManagerEndpoint, resourceManagerAudience].some(isPlaceholder)) return []
  if (knownCloudOf(profile)?.toolNames?.['az'] !== undefined) return []
  // The tool resolves a tenant that isn't a GUID, and cannot resolve the tenant of a federation service.
  const tenant = provider.kind === 'federation-service' || tenantId === undefined ? [] : [['tenant', tenantId] as const]
  return [...azSteps(cloud), { command: 'login', options: tenant }].map(
    ({ command, options }) =>
      `az ${command}${options.map(([option, value]) => ` --${option} ${word(value)}`).join('')}`,
  )
}

/** People paste these commands, so a plain word gets no quotes. */
const word = (text: string): string => (/^[\w./:-]+$/.test(text) ? text : quoteShell(text))
