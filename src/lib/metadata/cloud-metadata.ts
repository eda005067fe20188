import { equalUrls } from '../base/address.ts'
import { textsOf, withoutUndefined } from '../base/json.ts'
import { equalAuthorities, knownCloudOf, resourceManagerAudiencesOf } from '../clouds/equal-values.ts'
import type { CloudProfile, DnsService } from '../clouds/cloud-profile.ts'
import type { FieldPath } from '../profile/field-path.ts'
import { knownClouds } from '../clouds/known-clouds.ts'
import { ownersIn } from '../clouds/owner-of.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { ServiceError } from '../errors.ts'
import { showValue } from '../base/printable.ts'

// This folder fetches and parses the metadata documents of clouds, and fills profiles from them.

/** The metadata that the resource manager of a cloud publishes, from any known version of the document. */
export interface CloudMetadata {
  /** Normalized, with a final slash. If the document doesn't name it, this is the requested endpoint. */
  readonly resourceManagerEndpoint: string
  /** Normalized https URL with a final slash. A federation service has the path `/adfs/`. May be an alias such as `https://login.windows.net/`. */
  readonly loginEndpoint: string
  /** Identifiers of the resource manager, spelled as in the document: with or without a final slash. Never empty. */
  readonly audiences: readonly [string, ...string[]]
  /** The tenant in the document. May be `common`. */
  readonly tenant?: string
  readonly portalEndpoint?: string
  readonly graphEndpoint?: string
  readonly galleryEndpoint?: string
  /** Spelled as in the document: without a leading dot, and `core.<cloud>` for storage. */
  readonly dnsSuffixes?: Readonly<Partial<Record<DnsService, string>>>
}

/** Metadata with the values of newer versions of the document. */
export interface WholeCloudMetadata extends Omit<CloudMetadata, 'audiences'> {
  /** Empty if the document names none, as the smallest document that Terraform accepts. */
  readonly audiences: readonly string[]
  /** The services in the document, in the form of a profile. */
  readonly services?: Readonly<Record<string, NonNullable<CloudProfile['services']>[string]>>
  /** The versions of the document that these values come from. Absent if the document wasn't requested. */
  readonly versions?: readonly string[]
}

/** The profile fields that a document fills outside of `authentication`, by the names since version 2019. Each cloud publishes some of them. */
export const documentRows: Readonly<Record<string, readonly FieldPath[]>> = {
  portal: ['portalUrl'],
  graph: ['services.directoryGraph.audience', 'services.directoryGraph.url'],
  gallery: ['services.gallery.url'],
  microsoftGraphResourceId: ['services.microsoftGraph.url', 'services.microsoftGraph.audience'],
  batch: ['services.batch.audience'],
  logAnalyticsResourceId: ['services.logAnalytics.url', 'services.logAnalytics.audience'],
  appInsightsResourceId: ['services.applicationInsights.url', 'services.applicationInsights.audience'],
  sqlManagement: ['services.sqlManagement.url'],
  ossrDbmsResourceId: ['services.postgresql.audience', 'services.mysql.audience'],
  activeDirectoryDataLake: ['services.dataLake.audience'],
  'suffixes.storage': ['serviceDnsSuffixes.storage'],
  'suffixes.keyVaultDns': ['serviceDnsSuffixes.keyVault'],
  'suffixes.sqlServerHostname': ['serviceDnsSuffixes.sqlServer'],
  'suffixes.acrLoginServer': ['serviceDnsSuffixes.containerRegistry'],
  // Since version 2022-09-01.
  'suffixes.mhsmDns': ['services.managedHsm.dnsSuffix'],
  'suffixes.postgresqlServerEndpoint': ['services.postgresql.dnsSuffix'],
  'suffixes.mysqlServerEndpoint': ['services.mysql.dnsSuffix'],
  'suffixes.mariadbServerEndpoint': ['services.mariadb.dnsSuffix'],
  'suffixes.synapseAnalytics': ['services.synapse.dnsSuffix'],
  'suffixes.attestationEndpoint': ['services.attestation.dnsSuffix'],
  'suffixes.storageSyncEndpointSuffix': ['services.fileSync.dnsSuffix'],
  'suffixes.azureFrontDoorEndpointSuffix': ['services.frontDoor.dnsSuffix'],
}

/** The addresses that versions 2015 and 2018 have too, as `portalEndpoint` and so on. */
export const olderAddresses: ReadonlySet<string> = new Set(['portal', 'graph', 'gallery'])

export const documentFields: readonly FieldPath[] = Object.values(documentRows).flat()

/**
 * Merges the first version of a cloud's metadata with a newer one, which adds values. Otherwise the first version wins, because the service
 * requests it at run time. But only a newer version can name the identity provider, so its federation service wins over the same login host.
 * The result has a warning if the login authorities or the first audiences differ.
 */
export function mergeMetadata(first: WholeCloudMetadata, newer: WholeCloudMetadata) {
  const federation = identityProviderOf({ authorityHost: newer.loginEndpoint })
  const isSameHost = equalAuthorities(first.loginEndpoint, federation.authorityBase)
  const { loginEndpoint } = federation.kind === 'federation-service' && isSameHost ? newer : first
  const [audience, newerAudience] = [first.audiences[0], newer.audiences[0]]
  const both = <T extends object>(ours?: T, theirs?: T) => (ours ?? theirs) && { ...theirs, ...ours }
  const metadata: WholeCloudMetadata = withoutUndefined({
    ...newer,
    ...first,
    resourceManagerEndpoint: newer.resourceManagerEndpoint,
    loginEndpoint,
    audiences: [...first.audiences, ...newer.audiences.filter((each) => !isAudienceOf(first, each))],
    tenant: specificTenant(first) ?? newer.tenant ?? first.tenant,
    dnsSuffixes: both(first.dnsSuffixes, newer.dnsSuffixes),
    services: both(first.services, newer.services),
    versions: [...(first.versions ?? []), ...(newer.versions ?? [])],
  })
  const warn = (field: string, ours: string, theirs: string) =>
    `Metadata version ${newer.versions?.join() ?? ''} has ${theirs} for ${field}, but the first version has ${ours}, which is used`
  const warnings: string[] = []
  if (!equalAuthorities(loginEndpoint, newer.loginEndpoint))
    warnings.push(warn('the login authority', loginEndpoint, newer.loginEndpoint))
  if (audience !== undefined && newerAudience !== undefined && !equalUrls(audience, newerAudience))
    warnings.push(warn('the first audience', audience, newerAudience))
  return { metadata, warnings }
}

/** Whether a resource manager accepts tokens for an audience. It accepts all its `audiences`, each with and without a final slash. */
export function isAudienceOf({ audiences }: Pick<WholeCloudMetadata, 'audiences'>, audience: string): boolean {
  return audiences.some((member) => equalUrls(member, audience))
}

/** The audience of tokens for the resource manager, with the final slash that separates it from `.default` in the scope. */
export const discoveredAudience = ({ audiences: [audience] }: CloudMetadata): string => withFinalSlash(audience)

const withFinalSlash = (audience: string): string => (audience.endsWith('/') ? audience : `${audience}/`)

/** The tenant in the metadata. `undefined` for `common`, `organizations` and `consumers`, which mean any tenant. */
export function specificTenant({ tenant }: Pick<CloudMetadata, 'tenant'>): string | undefined {
  return tenant === undefined || /^(common|organizations|consumers)$/i.test(tenant) ? undefined : tenant
}

/** The values of the metadata by the profile fields that they fill, in the order of a profile. */
export function publishedFields(metadata: WholeCloudMetadata): ReadonlyMap<FieldPath, string> {
  const { resourceManagerEndpoint, loginEndpoint, audiences, portalEndpoint, dnsSuffixes = {}, services } = metadata
  const audience = audiences[0] === undefined ? undefined : withFinalSlash(audiences[0])
  const fields: [string, string | undefined][] = [
    ['authorityHost', loginEndpoint],
    ['resourceManagerEndpoint', resourceManagerEndpoint],
    ['resourceManagerAudience', audience],
    ['tenantId', identityProviderOf({ authorityHost: loginEndpoint }, specificTenant(metadata)).tenantId],
    ['portalUrl', portalEndpoint],
    ...Object.entries(dnsSuffixes).map(([service, suffix]): [string, string] => {
      const bare = suffix.replace(/^\./, '')
      const isStorage = service === 'storage' && !/^blob\./i.test(bare)
      return [`serviceDnsSuffixes.${service}`, `${isStorage ? '.blob' : ''}.${bare}`]
    }),
    ['serviceAudiences.arm', audience],
    ...textsOf({ services }).map(([path, value]): [string, string] => [path, value]),
  ]
  return new Map(fields.flatMap(([path, value]) => (value === undefined ? [] : [[path as FieldPath, value] as const])))
}

/** The discovered audience. Metadata comes from the network, so it must not make the service send a token for another service. */
export function allowedAudience(profile: CloudProfile, metadata: CloudMetadata): string {
  const audience = discoveredAudience(metadata)
  if (isAllowedAudience(profile, audience)) return audience
  const message = `The metadata document names the audience ${showValue(audience)}, which does not belong to the resource manager of this profile, so no token is requested. An audience must be the audience of the profile, an identifier of its host, or of the form https://management.<domain>/`
  throw new ServiceError('METADATA_INVALID', message)
}

/**
 * Whether the service may request a token for a discovered audience. Allowed are
 *
 * - the resource manager audiences of the profile and of its known cloud;
 * - identifiers with the host of the resource manager;
 * - https identifiers with a host that begins with `management.`, because a stack generates such an audience. The host must belong neither to
 *   another service nor to another known cloud.
 */
export function isAllowedAudience(profile: CloudProfile, audience: string): boolean {
  const { resourceManagerAudience, serviceAudiences, serviceDnsSuffixes } = profile
  const same = (other: string) => equalUrls(other, audience)
  if (same(resourceManagerAudience) || same(serviceAudiences.arm)) return true
  if (same(serviceAudiences.storage) || same(serviceAudiences.keyVault) || !URL.canParse(audience)) return false

  const { protocol, host, hostname, username, password, search, hash } = new URL(audience)
  const manager = new URL(profile.resourceManagerEndpoint)
  if (`${username}${password}${search}${hash}` !== '') return false
  if (host === manager.host && protocol === manager.protocol) return true
  if (protocol !== 'https:' || host !== hostname) return false
  const known = knownCloudOf(profile)
  if (hostname === manager.hostname) return true
  if (known !== undefined && resourceManagerAudiencesOf(known).some(same)) return true
  const labels = hostname.split('.')
  return (
    labels.length > 1 &&
    labels[0] === 'management' &&
    !labels.includes('') &&
    // Every host below a domain of a known cloud is a service of that cloud.
    ![...ownersIn(knownClouds).keys()].map(domainOf).includes(domainOf(hostname)) &&
    !hostEndings(serviceDnsSuffixes).some((ending) => hostname.endsWith(ending)) &&
    !hostsOfOthers(profile).includes(hostname)
  )
}

/** The hosts of the profile's other services. An audience with one of these hosts belongs to that service, whatever its path is. */
function hostsOfOthers({ authorityHost, serviceAudiences, services = {} }: CloudProfile): string[] {
  const own = Object.values(services).flatMap(({ url = '', audience = '' }) => [url, audience])
  const urls = [authorityHost, serviceAudiences.storage, serviceAudiences.keyVault, ...own]
  return urls.map((url) => URL.parse(url)?.hostname ?? '')
}

/** The last two labels of a host. A known cloud owns the whole domain. */
function domainOf(host: string): string {
  return host.toLowerCase().split('.').slice(-2).join('.')
}

/** The suffixes of service hosts, because an account can have the name `management`. A storage account has a host for each service. */
function hostEndings(suffixes: CloudProfile['serviceDnsSuffixes']): string[] {
  return Object.values(suffixes).flatMap((suffix) => {
    const [, storage] = /^\.blob(\..*)$/.exec(suffix.toLowerCase()) ?? []
    const services = ['blob', 'dfs', 'file', 'queue', 'table', 'web']
    return storage === undefined ? [suffix.toLowerCase()] : services.map((service) => `.${service}${storage}`)
  })
}
