import { equalUrls } from '../base/address.ts'
import { textsOf } from '../base/json.ts'
import { equalAuthorities } from '../clouds/equal-values.ts'
import type { CloudService } from '../clouds/cloud-file.ts'
import type { DnsService } from '../profile/cloud-profile.ts'
import type { FieldPath } from '../profile/field-path.ts'

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
  /** The services that the document names, as a profile stores them. */
  readonly services?: Readonly<Record<string, CloudService>>
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
