import { equalUrls, normalizeUrl } from '../base/address.ts'
import type { CloudFile } from './cloud-profile.ts'
import { knownClouds } from './known-clouds.ts'

// Compares values of clouds. A known cloud has several login hosts, and its resource manager accepts several audiences.

/** Replaces an alias of a login host by the host that credential libraries know. Leaves a text that isn't a URL unchanged. */
export function withoutAlias(authority: string): string {
  return withMainHost(authority, ({ authorityHost, aliases }) => [authorityHost, aliases?.authorityHosts ?? []])
}

/** Replaces an alias of a resource manager audience by the manager's own host, because known clouds accept tokens for both. */
export function withoutAudienceAlias(audience: string): string {
  return withMainHost(audience, (cloud) => [cloud.resourceManagerEndpoint, resourceManagerAudiencesOf(cloud)])
}

type Urls = readonly [main: string | undefined, others: readonly string[]]

function withMainHost(text: string, urlsOf: (cloud: CloudFile) => Urls): string {
  const url = URL.parse(text)
  if (url === null) return text
  const [main] =
    knownClouds.map(urlsOf).find(([, others]) => others.some((each) => hostOf(each) === url.hostname)) ?? []
  if (main !== undefined) url.hostname = hostOf(main)
  return url.href
}

/** The token audiences that a resource manager accepts. This service requests the first. */
export function resourceManagerAudiencesOf({ resourceManagerAudience, aliases }: CloudFile): readonly string[] {
  return [resourceManagerAudience ?? [], aliases?.resourceManagerAudiences ?? []].flat()
}

function hostOf(url: string): string {
  return new URL(url).hostname
}

/** The other host names of a well-known authority. @param authority An absolute URL. */
export function aliasesOf(authority: string): readonly string[] {
  const { origin } = new URL(authority)
  const known = knownClouds.find(({ authorityHost = '' }) => URL.parse(authorityHost)?.origin === origin)
  return (known?.aliases?.authorityHosts ?? []).map(hostOf)
}

/** The known cloud that has both this login authority and this resource manager. */
export function knownCloudOf(cloud: Pick<CloudFile, 'authorityHost' | 'resourceManagerEndpoint'>) {
  const { resourceManagerEndpoint: own = '' } = cloud
  return knownClouds.find((each) => isSameCloud(each, cloud) && equalUrls(each.resourceManagerEndpoint ?? '', own))
}

/** The known cloud of a login authority or of its alias. @param authorityHost An absolute URL. */
export function knownCloudOfAuthority(authorityHost = '', clouds = knownClouds): CloudFile | undefined {
  return clouds.find((cloud) => isSameCloud(cloud, { authorityHost }))
}

/** The authority of each description that was compared, because every value of a profile is compared with several clouds. */
const authorities = new WeakMap<object, string>()

/** Whether two descriptions have the same login authority and so describe the same cloud. Their names don't matter. */
export function isSameCloud(one: Pick<CloudFile, 'authorityHost'>, other: Pick<CloudFile, 'authorityHost'>): boolean {
  const authorityOf = (cloud: Pick<CloudFile, 'authorityHost'>) => {
    const known = authorities.get(cloud) ?? canonicalAuthority(cloud.authorityHost ?? '')
    authorities.set(cloud, known)
    return known
  }
  return one === other || (one.authorityHost !== undefined && authorityOf(one) === authorityOf(other))
}

/** Whether two authorities are equal. An alias equals its host, and the letter case of `/adfs` doesn't matter. */
export function equalAuthorities(one: string, other: string): boolean {
  return canonicalAuthority(one) === canonicalAuthority(other)
}

function canonicalAuthority(value: string): string {
  return URL.canParse(value) ? normalizeUrl(withoutAlias(value)).replace(/\/adfs$/i, '/adfs') : value
}

/** Whether two DNS suffixes are equal, regardless of a leading dot and letter case. Tools write the storage suffix without `blob.`. */
export function equalDnsSuffixes(one: string, other: string): boolean {
  const [first, second] = [one, other].map((suffix) => suffix.toLowerCase().replace(/^\.?(?:blob\.)?/, ''))
  return first === second
}
