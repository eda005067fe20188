import { equalUrls, withoutFinalSlashes } from '../base/address.ts'
import { isGuid } from '../base/names.ts'
import { textAt } from '../base/json.ts'
import { equalAuthorities, equalDnsSuffixes } from '../clouds/equal-values.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'
import type { FieldPath } from '../profile/field-path.ts'
import { identityProviderOf, isFederationTenant } from '../profile/identity-provider.ts'
import { documentFields, isAudienceOf, publishedFields, type WholeCloudMetadata } from './cloud-metadata.ts'

/** A field of the profile, compared with the live cloud. */
export interface FieldComparison {
  readonly path: FieldPath
  readonly profile: string
  /** If the cloud accepts several values, all of them in words. */
  readonly metadata: string
  readonly equal: boolean
}

/** Compares the fields that both the profile and the metadata of its live cloud have. */
export function compareWithProfile(profile: CloudProfile, metadata: WholeCloudMetadata): FieldComparison[] {
  const provider = identityProviderOf({ ...profile, authorityHost: `${withoutFinalSlashes(profile.authorityHost)}/` })
  return [...publishedFields(metadata)].flatMap(([path, theirs]): FieldComparison[] => {
    const ours = path === 'tenantId' ? profile.tenantId && provider.tenantId : textAt(profile, path)
    if (ours === undefined) return []
    if (isAudience(path)) {
      const all = metadata.audiences.join(' or ')
      return [{ path, profile: ours, metadata: all, equal: isAudienceOf(metadata, ours) }]
    }
    // If the tenant is adfs, a profile may leave out the path /adfs/. The first version of the document leaves it out too.
    const equal =
      path === 'authorityHost'
        ? [provider.authorityUrl, provider.authorityBase].some((each) => equalAuthorities(each, theirs))
        : equalValues(path, ours, theirs)
    return equal === undefined ? [] : [{ path, profile: ours, metadata: theirs, equal }]
  })
}

/** The fields that can't be compared, because one side doesn't have them. Leaves out services that neither side has. */
export function fieldsOnOneSide(profile: CloudProfile, metadata: WholeCloudMetadata): FieldPath[] {
  const compared = new Set(compareWithProfile(profile, metadata).map(({ path }) => path))
  const published = publishedFields(metadata)
  const all = new Set([...alwaysCompared, ...documentFields])
  return [...all].filter((path) => {
    const isPresent = textAt(profile, path) !== undefined || published.has(path)
    return !compared.has(path) && (isPresent || !path.startsWith('services.'))
  })
}

const alwaysCompared: readonly FieldPath[] = [
  'authorityHost',
  'resourceManagerEndpoint',
  'resourceManagerAudience',
  'tenantId',
  'portalUrl',
  'serviceAudiences.arm',
]

const isAudience = (path: FieldPath) => path === 'resourceManagerAudience' || path === 'serviceAudiences.arm'

/** Whether two values of a field are equal. `undefined` if they can't be compared. */
export function equalValues(path: FieldPath, one: string, other: string): boolean | undefined {
  if (path === 'tenantId') return equalTenants(one, other)
  if (path === 'authorityHost') return equalAuthorities(one, other)
  return path.startsWith('serviceDnsSuffixes.') || path.endsWith('.dnsSuffix')
    ? equalDnsSuffixes(one, other)
    : equalUrls(one, other)
}

/** A tenant has a GUID and several domain names, so a GUID can't be compared with a name. */
function equalTenants(one: string, other: string): boolean | undefined {
  const isFederation = [one, other].some(isFederationTenant)
  return isFederation || isGuid(one) === isGuid(other) ? one.toLowerCase() === other.toLowerCase() : undefined
}
