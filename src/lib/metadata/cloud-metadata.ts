import { equalUrls } from '../base/address.ts'
import { textsOf } from '../base/json.ts'
import { equalAuthorities, knownCloudOf, resourceManagerAudiencesOf } from '../clouds/equal-values.ts'
import type { CloudProfile, DnsService } from '../clouds/cloud-profile.ts'
import type { FieldPath } from '../profile/field-path.ts'
import { knownClouds } from '../clouds/known-clouds.ts'
import { ownersIn } from '../clouds/owner-of.ts'
import { ServiceError } from '../errors.ts'
import { showValue } from '../base/printable.ts'

/** The metadata of a cloud, read from any known shape of the document that its resource manager publishes. */
export interface CloudMetadata {
  /** Normalized, with a final slash. The requested endpoint if the document names none. */
  readonly resourceManagerEndpoint: string
  /** Normalized, with a final slash, always https. May be an alias such as `https://login.windows.net/`. */
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

/** Metadata with all that the newer versions add. */
export interface WholeCloudMetadata extends CloudMetadata {
  /** Whether the document names a federation service as its identity provider (`ADFS`), whose login endpoint may lack its path. */
  readonly hasFederationService?: true
  /** The services that the document names, as a profile stores them. */
  readonly services?: Readonly<Record<string, NonNullable<CloudProfile['services']>[string]>>
}

/** Two versions of a cloud's metadata as one. */
export interface MergedMetadata {
  readonly metadata: WholeCloudMetadata
  /** The contradictions between the two. */
  readonly warnings: readonly string[]
}

/**
 * Joins the first version of a cloud's metadata with a newer one. The first decides where both speak, because it is what
 * this service asks; the newer one adds what the first lacks: the tenant, DNS suffixes, addresses, further audiences.
 * It alone names the resource manager. A login authority or a first audience that differs is a warning.
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
    `The version ${newerVersion} of the metadata says ${theirs} for ${field}, the first version ${ours}, which is taken`
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
 * The audience that tokens for the resource manager are requested for: `audiences[0]`, with the final slash that an
 * audience has by rule. It only separates the identifier from `.default` in the scope.
 */
export function discoveredAudience({ audiences: [audience] }: CloudMetadata): string {
  return audience.endsWith('/') ? audience : `${audience}/`
}

/** `common`, `organizations` and `consumers` mean any tenant, so they identify none. */
export function specificTenant({ tenant }: CloudMetadata): string | undefined {
  return tenant === undefined || /^(common|organizations|consumers)$/i.test(tenant) ? undefined : tenant
}

/** What metadata says, as fields of a profile in their order. */
export function publishedFields(metadata: WholeCloudMetadata): ReadonlyMap<FieldPath, string> {
  const { resourceManagerEndpoint, loginEndpoint, portalEndpoint, dnsSuffixes = {}, services } = metadata
  const audience = discoveredAudience(metadata)
  const fields: [string, string | undefined][] = [
    ['authorityHost', loginEndpoint],
    ['resourceManagerEndpoint', resourceManagerEndpoint],
    ['resourceManagerAudience', audience],
    ['tenantId', specificTenant(metadata)],
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
 * The discovered audience, if a token for it may be requested and sent to the resource manager of this profile. Metadata comes from the
 * network, so it must not be able to obtain a token for other data.
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
 * The allowed audiences: the profile's own; an identifier of the resource manager's host; a known cloud's, in its own profile; or an
 * https identifier whose host begins with `management.`, which is how a stack generates its audience. Never a host that belongs to a
 * service, nor anything below the domain of another known cloud.
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

/** Hosts of the other values of the profile. An identifier with such a host belongs to that service, whatever its path. */
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

/** The last two labels: each known cloud owns such domains. */
function domainOf(host: string): string {
  return host.toLowerCase().split('.').slice(-2).join('.')
}

/** The ends of service hosts, because an account may have the name `management`. A storage account has one host per service. */
function hostEndings(suffixes: CloudProfile['serviceDnsSuffixes']): string[] {
  return Object.values(suffixes).flatMap((suffix) => {
    const [, storage] = /^\.blob(\..*)$/.exec(suffix.toLowerCase()) ?? []
    return storage === undefined ? [suffix.toLowerCase()] : storageServices.map((service) => `.${service}${storage}`)
  })
}

const storageServices = ['blob', 'dfs', 'file', 'queue', 'table', 'web']
