import type { CloudProfile } from '../profile/cloud-profile.ts'
import { fieldPaths, type FieldPath } from '../profile/field-path.ts'
import { valueAt } from '../base/json.ts'
import { servicePaths } from './metadata-document.ts'
import type { CloudMetadata, WholeCloudMetadata } from './cloud-metadata.ts'
import { isAudienceOf } from './cloud-metadata.ts'
import { equalAuthorities, equalDnsSuffixes, equalStorageSuffixes } from '../clouds/equal-values.ts'
import { isGuid } from '../base/names.ts'
import { identityProviderOf, isFederationTenant } from '../profile/identity-provider.ts'
import { equalUrls } from '../base/address.ts'

/** One field as the profile and as the live cloud have it. */
export interface FieldComparison {
  readonly path: FieldPath
  readonly profile: string
  /** Of a list, every accepted value. */
  readonly metadata: string
  readonly equal: boolean
}

interface Comparison {
  /** The value of the profile. Default is the field. */
  readonly own?: (profile: CloudProfile) => string | undefined
  /** The value of the metadata, if any. */
  readonly read: (metadata: WholeCloudMetadata) => string | undefined
  /** `undefined` if the two cannot be compared. */
  readonly equal: (profile: string, metadata: string, all: WholeCloudMetadata) => boolean | undefined
}

const audience: Comparison = {
  read: ({ audiences }) => audiences.join(' or '),
  equal: (profile, _metadata, all) => isAudienceOf(all, profile),
}

/** The fields that metadata contains, each with its rule of equality. */
const comparisons: Readonly<Record<string, Comparison>> = {
  authorityHost: { read: ({ loginEndpoint }) => loginEndpoint, equal: equalAuthorities },
  resourceManagerEndpoint: { read: ({ resourceManagerEndpoint }) => resourceManagerEndpoint, equal: equalUrls },
  resourceManagerAudience: audience,
  tenantId: {
    own: (profile) => profile.tenantId && identityProviderOf(profile).tenantId,
    read: specificTenant,
    equal: equalTenants,
  },
  portalUrl: { read: ({ portalEndpoint }) => portalEndpoint, equal: equalUrls },
  ...comparisonsBelow('serviceDnsSuffixes', (path) => ({
    read: (metadata) => textAt(metadata, path.replace('serviceDnsSuffixes', 'dnsSuffixes')),
    equal: path === 'serviceDnsSuffixes.storage' ? equalStorageSuffixes : equalDnsSuffixes,
  })),
  'serviceAudiences.arm': audience,
  ...Object.fromEntries(
    servicePaths.map((path): [string, Comparison] => [
      path,
      {
        read: (metadata) => textAt(metadata, path),
        equal: path.endsWith('.dnsSuffix') ? equalDnsSuffixes : equalUrls,
      },
    ]),
  ),
}

/** A comparison for every field of a group. */
function comparisonsBelow(
  group: string,
  comparisonOf: (path: FieldPath) => Comparison,
): Readonly<Record<string, Comparison>> {
  const paths = fieldPaths.filter((path) => path.startsWith(`${group}.`))
  return Object.fromEntries(paths.map((path) => [path, comparisonOf(path)]))
}

/**
 * Compares a profile with the metadata of its live cloud. Only fields that both sides have are compared; with no unequal one among them,
 * the profile is in step with its cloud.
 */
export function compareWithProfile(profile: CloudProfile, metadata: WholeCloudMetadata): FieldComparison[] {
  return Object.entries(comparisons).flatMap(([path, { own, read, equal }]) => {
    const ours = own === undefined ? textAt(profile, path) : own(profile)
    const theirs = read(metadata)
    if (ours === undefined || theirs === undefined) return []
    const isEqual = equal(ours, theirs, metadata)
    return isEqual === undefined ? [] : [{ path: path as FieldPath, profile: ours, metadata: theirs, equal: isEqual }]
  })
}

/** The fields that were not compared, because one side lacks them; a service only if the other side has it. */
export function notCompared(profile: CloudProfile, metadata: WholeCloudMetadata): FieldPath[] {
  const compared = new Set(compareWithProfile(profile, metadata).map(({ path }) => path))
  return Object.entries(comparisons)
    .filter(([path, { read }]) => {
      const isSaid = textAt(profile, path) !== undefined || read(metadata) !== undefined
      return !compared.has(path as FieldPath) && (isSaid || !path.startsWith('services.'))
    })
    .map(([path]) => path as FieldPath)
}

function textAt(document: unknown, path: string): string | undefined {
  const value = valueAt(document, path)
  return typeof value === 'string' ? value : undefined
}

/** `common`, `organizations` and `consumers` mean any tenant, so they identify none. */
export function specificTenant({ tenant }: CloudMetadata): string | undefined {
  return tenant === undefined || /^(common|organizations|consumers)$/i.test(tenant) ? undefined : tenant
}

/** A tenant has a GUID and any number of domain names: one of each cannot be compared. */
function equalTenants(one: string, other: string): boolean | undefined {
  const isFederation = [one, other].some(isFederationTenant)
  return isFederation || isGuid(one) === isGuid(other) ? one.toLowerCase() === other.toLowerCase() : undefined
}
