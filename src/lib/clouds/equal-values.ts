import { equalUrls, normalizeUrl } from '../base/address.ts'
import type { CloudFile } from './cloud-profile.ts'
import { knownClouds } from './known-clouds.ts'

// A known cloud has more than one login host, and its resource manager accepts more than one audience.

/** The authority's host as credential libraries know it. @param authority An absolute URL. */
export function withoutAlias(authority: string): string {
  const url = new URL(authority)
  const known = knownClouds.find(({ aliases }) => hasHost(aliases?.authorityHosts, url))
  if (known?.authorityHost !== undefined) url.hostname = hostOf(known.authorityHost)
  return url.href
}

/** An audience with the host of its resource manager: the resource managers of known clouds accept tokens for an alias too. */
export function withoutAudienceAlias(audience: string): string {
  const url = URL.parse(audience)
  if (url === null) return audience
  const known = knownClouds.find((cloud) => hasHost(resourceManagerAudiencesOf(cloud), url))
  if (known?.resourceManagerEndpoint !== undefined) url.hostname = hostOf(known.resourceManagerEndpoint)
  return url.href
}

/** The identifiers that a resource manager accepts as the audience of a token. Requests use the first. */
export function resourceManagerAudiencesOf({ resourceManagerAudience, aliases }: CloudFile): readonly string[] {
  const own = resourceManagerAudience === undefined ? [] : [resourceManagerAudience]
  return [...own, ...(aliases?.resourceManagerAudiences ?? [])]
}

function hasHost(urls: readonly string[] | undefined, { hostname }: URL): boolean {
  return urls?.some((url) => hostOf(url) === hostname) === true
}

function hostOf(url: string): string {
  return new URL(url).hostname
}

/** The other host names of a well-known authority. @param authority An absolute URL. */
export function aliasesOf(authority: string): readonly string[] {
  const { origin } = new URL(authority)
  const known = knownClouds.find(
    ({ authorityHost }) => authorityHost !== undefined && new URL(authorityHost).origin === origin,
  )
  return (known?.aliases?.authorityHosts ?? []).map(hostOf)
}

/** The known cloud that these addresses belong to: both the authority and the resource manager must belong to it. */
export function knownCloudOf({
  authorityHost = '',
  resourceManagerEndpoint = '',
}: Pick<CloudFile, 'authorityHost' | 'resourceManagerEndpoint'>): CloudFile | undefined {
  return knownClouds.find(
    (cloud) =>
      isSameCloud(cloud, { authorityHost }) && equalUrls(cloud.resourceManagerEndpoint ?? '', resourceManagerEndpoint),
  )
}

/** The known cloud of a login authority, by any of its names. @param authority An absolute URL. */
export function knownCloudOfAuthority(
  authority: string,
  clouds: readonly CloudFile[] = knownClouds,
): CloudFile | undefined {
  return clouds.find((cloud) => isSameCloud(cloud, { authorityHost: authority }))
}

/** Whether two descriptions are of one cloud, whatever their names: they have the same login authority. */
export function isSameCloud(one: Pick<CloudFile, 'authorityHost'>, other: Pick<CloudFile, 'authorityHost'>): boolean {
  if (one === other) return true
  return one.authorityHost !== undefined && equalAuthorities(one.authorityHost, other.authorityHost ?? '')
}

/** Whether two authorities are the same; an alias equals its host, and the path of a federation service (`/adfs`) has no case. */
export function equalAuthorities(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return one === other
  const [a, b] = [one, other].map((value) => normalizeUrl(withoutAlias(value)).replace(/\/adfs$/i, '/adfs'))
  return a === b
}

/** Tools write the storage suffix as `core.<cloud>`, a profile as `.blob.core.<cloud>`: both are the same. */
export function equalStorageSuffixes(one: string, other: string): boolean {
  return bareSuffix(one).replace(/^blob\./, '') === bareSuffix(other).replace(/^blob\./, '')
}

/** With or without a leading dot, in any case. */
export function equalDnsSuffixes(one: string, other: string): boolean {
  return bareSuffix(one) === bareSuffix(other)
}

function bareSuffix(suffix: string): string {
  return suffix.toLowerCase().replace(/^\./, '')
}
