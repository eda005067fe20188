import { ownCopy, ownData } from '../base/json.ts'
import type { CloudFile, CloudProfile } from '../clouds/cloud-profile.ts'
import { knownCloudOfAuthority } from '../clouds/equal-values.ts'
import type { ExplainedProfile } from './explained-profile.ts'
import { type IdentityProvider, identityProviderOf, issuersOf } from './identity-provider.ts'

/** A profile with the facts that are derived from it, each computed once. */
export interface ResolvedCloud {
  readonly profile: CloudProfile
  /** The tenant that the settings name, or else the profile. */
  readonly tenantId: string | undefined
  /** The login authority for this tenant. */
  readonly provider: IdentityProvider
  /** The known cloud that the login authority belongs to. Absent for a private cloud. */
  readonly knownCloud: CloudFile | undefined
}

/** The cloud of a process: resolved, with the origin of each field. */
export type ExplainedCloud = ExplainedProfile & ResolvedCloud

/** A profile, resolved or not. */
export type ProfileOrCloud = Pick<ResolvedCloud, 'profile'> & Partial<ResolvedCloud>

/**
 * Adds the identity provider and the known cloud to a profile. A cloud that was resolved for the same tenant is returned unchanged.
 *
 * @param named The tenant that the settings name. It applies to a custom file too, although variables do not change the file. Default is the
 *   tenant of the profile.
 */
export function resolveProvider<T extends ProfileOrCloud>(cloud: T, named?: string): T & ResolvedCloud {
  const profile = ownData(cloud.profile)
  const tenantId = named ?? profile.tenantId
  const isResolved = Object.hasOwn(cloud, 'provider')
  if (isResolved && cloud.tenantId === tenantId) return cloud as T & ResolvedCloud
  const knownCloud = isResolved ? cloud.knownCloud : knownCloudOfAuthority(profile.authorityHost)
  const provider = identityProviderOf(profile, tenantId, issuersOf(knownCloud))
  return ownCopy({ ...cloud, profile, tenantId, knownCloud, provider })
}
