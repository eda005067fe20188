import { equalUrls } from '../base/address.ts'
import { textsOf } from '../base/json.ts'
import { equalAuthorities, knownCloudOf, resourceManagerAudiencesOf } from '../clouds/equal-values.ts'
import type { CloudProfile, DnsService } from '../clouds/cloud-profile.ts'
import type { FieldPath } from '../profile/field-path.ts'
import { knownClouds } from '../clouds/known-clouds.ts'
import { ownersIn } from '../clouds/owner-of.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { ServiceError } from '../errors.ts'
import { showValue } from '../base/printable.ts'

/** The metadata that the resource manager of a cloud publishes, from any known version of the document. */
export interface CloudMetadata {
  /** Normalized, with a final slash. The requested endpoint if the document names none. */
  readonly resourceManagerEndpoint: string
  /** Normalized, with a final slash, always https, for a federation service with its path `/adfs/`. May be an alias such as `https://login.windows.net/`. */
  readonly loginEndpoint: string
  /** Identifiers of the resource manager as the document spells them, with or without a final slash. Never empty. */
  readonly audiences: readonly [string, ...string[]]
  /** As the document says, `common` included. */
  readonly tenant?: string
  readonly portalEndpoint?: string
  readonly graphEndpoint?: string
  readonly galleryEndpoint?: string
  /** As the document spells them: without a leading dot, storage as `core.<cloud>`. */
  readonly dnsSuffixes?: Readonly<Partial<Record<DnsService, string>>>
}

/** Metadata with the values that newer versions add. */
export interface WholeCloudMetadata extends CloudMetadata {
  /** The services in the document, as a profile stores them. */
  readonly services?: Readonly<Record<string, NonNullable<CloudProfile['services']>[string]>>
}

/** Two versions of a cloud's metadata, merged. */
export interface MergedMetadata {
  readonly metadata: WholeCloudMetadata
  /** The contradictions between the two. */
  readonly warnings: readonly string[]
}

/**
 * Merges the first version of a cloud's metadata with a newer one. The first wins, because this service requests it at run time. The newer
 * one adds the resource manager, the tenant, DNS suffixes, addresses and further audiences. If the two have different login authorities or
 * first audiences, the result has a warning.
 */
export function mergeMetadata(
  first: WholeCloudMetadata,
  newer: WholeCloudMetadata,
  newerVersion: string,
  warnings: readonly string[] = [],
): MergedMetadata {
  const [audience, ...others] = first.audiences
  const added = newer.audiences.filter((each) => !isAudienceOf(first, each))
  const warn = (field: string, ours: string, theirs: string) =>
    `Metadata version ${newerVersion} has ${theirs} for ${field}; the first version has ${ours}, which is used`
  const dnsSuffixes = { ...newer.dnsSuffixes, ...first.dnsSuffixes }
  const services = { ...newer.services, ...first.services }
  return {
    metadata: {
      ...newer,
      ...first,
      resourceManagerEndpoint: newer.resourceManagerEndpoint,
      audiences: [audience, ...others, ...added],
      ...(Object.keys(dnsSuffixes).length === 0 ? {} : { dnsSuffixes }),
      ...(Object.keys(services).length === 0 ? {} : { services }),
    },
    warnings: [
      ...warnings,
      ...(equalAuthorities(first.loginEndpoint, newer.loginEndpoint)
        ? []
        : [warn('the login authority', first.loginEndpoint, newer.loginEndpoint)]),
      ...(equalUrls(audience, newer.audiences[0]) ? [] : [warn('the first audience', audience, newer.audiences[0])]),
    ],
  }
}

/** A resource manager accepts tokens for every member of its `audiences`, each with and without a final slash. */
export function isAudienceOf({ audiences }: CloudMetadata, audience: string): boolean {
  return audiences.some((member) => equalUrls(member, audience))
}

/**
 * The audience of tokens for the resource manager: `audiences[0]`, with the final slash that a profile requires. The slash separates the
 * identifier from `.default` in the scope.
 */
export function discoveredAudience({ audiences: [audience] }: CloudMetadata): string {
  return audience.endsWith('/') ? audience : `${audience}/`
}

/** `common`, `organizations` and `consumers` mean any tenant. */
export function specificTenant({ tenant }: CloudMetadata): string | undefined {
  return tenant === undefined || /^(common|organizations|consumers)$/i.test(tenant) ? undefined : tenant
}

/** The fields of a profile that the metadata has, in the order of a profile. */
export function publishedFields(metadata: WholeCloudMetadata): ReadonlyMap<FieldPath, string> {
  const { resourceManagerEndpoint, loginEndpoint, portalEndpoint, dnsSuffixes = {}, services } = metadata
  const audience = discoveredAudience(metadata)
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
    ...textsOf(services, 'services.').map(([path, value]): [string, string] => [path, value]),
  ]
  return new Map(fields.flatMap(([path, value]) => (value === undefined ? [] : [[path as FieldPath, value] as const])))
}

/**
 * The discovered audience, if this service may request a token for it and send it to the resource manager of the profile. Metadata comes
 * from the network, and must not get a token for other data.
 *
 * @throws {ServiceError} `METADATA_INVALID` that names the audience and the allowed ones.
 */
export function allowedAudience(profile: CloudProfile, metadata: CloudMetadata): string {
  const audience = discoveredAudience(metadata)
  if (isAllowedAudience(profile, audience)) return audience
  const message = `The metadata document names the audience ${showValue(audience)}, which does not belong to the resource manager of this profile: it is neither the audience of the profile, nor an identifier of its host, nor of the form https://management.<domain>/; no token is requested`
  throw new ServiceError('METADATA_INVALID', message)
}

/**
 * Allowed are the audiences of the profile, identifiers with the resource manager's host, the audiences of a known cloud in its own profile,
 * and https identifiers with a host that begins with `management.`, because a stack generates such an audience. The host of a service, or
 * of another known cloud, is never allowed.
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

/** The hosts of the profile's other services. An identifier with one of these hosts belongs to that service, whatever its path. */
function hostsOfOthers({
  authorityHost,
  serviceAudiences: { storage, keyVault },
  services = {},
}: CloudProfile): string[] {
  const urls = [
    authorityHost,
    storage,
    keyVault,
    ...Object.values(services).flatMap(({ url, audience }) => [url, audience]),
  ]
  return urls.map((url) => (url === undefined ? '' : (URL.parse(url)?.hostname ?? '')))
}

/** The last two labels of a host. A known cloud owns the whole domain. */
function domainOf(host: string): string {
  return host.toLowerCase().split('.').slice(-2).join('.')
}

/** The suffixes of service hosts: an account can be named `management`. A storage account has a host per service. */
function hostEndings(suffixes: CloudProfile['serviceDnsSuffixes']): string[] {
  return Object.values(suffixes).flatMap((suffix) => {
    const [, storage] = /^\.blob(\..*)$/.exec(suffix.toLowerCase()) ?? []
    return storage === undefined ? [suffix.toLowerCase()] : storageServices.map((service) => `.${service}${storage}`)
  })
}

const storageServices = ['blob', 'dfs', 'file', 'queue', 'table', 'web']
