import { equalAuthorities } from './equal-values.ts'
import { equalUrls } from '../base/address.ts'
import { knownClouds, type KnownCloud } from './known-clouds.ts'

/** The known cloud that these addresses belong to: both the authority and the resource manager must belong to it. */
export function knownCloudOf({
  authorityHost,
  resourceManagerEndpoint,
}: Pick<KnownCloud, 'authorityHost' | 'resourceManagerEndpoint'>): KnownCloud | undefined {
  return knownClouds.find(
    (cloud) =>
      equalAuthorities(cloud.authorityHost, authorityHost) &&
      equalUrls(cloud.resourceManagerEndpoint, resourceManagerEndpoint),
  )
}

/** The known cloud of a login authority, by any of its names. @param authority An absolute URL. */
export function knownCloudOfAuthority(authority: string): KnownCloud | undefined {
  return knownClouds.find(({ authorityHost }) => equalAuthorities(authorityHost, authority))
}
