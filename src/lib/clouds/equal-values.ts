import { normalizeUrl } from '../base/address.ts'
import { knownClouds } from './known-clouds.ts'

/** The authority's host as credential libraries know it. @param authority An absolute URL. */
export function withoutAlias(authority: string): string {
  const url = new URL(authority)
  const known = knownClouds.find(({ authorityAliases }) => authorityAliases.includes(url.hostname))
  if (known !== undefined) url.hostname = hostOf(known.authorityHost)
  return url.href
}

/** An audience with the host of its resource manager: the resource managers of known clouds accept tokens for an alias too. */
export function withoutAudienceAlias(audience: string): string {
  const url = URL.parse(audience)
  if (url === null) return audience
  const known = knownClouds.find(({ audiences }) => audiences.some((each) => hostOf(each) === url.hostname))
  if (known !== undefined) url.hostname = hostOf(known.resourceManagerEndpoint)
  return url.href
}

function hostOf(url: string): string {
  return new URL(url).hostname
}

/** The other hosts that a well-known authority answers at. @param authority An absolute URL. */
export function aliasesOf(authority: string): readonly string[] {
  const { origin } = new URL(authority)
  return knownClouds.find(({ authorityHost }) => new URL(authorityHost).origin === origin)?.authorityAliases ?? []
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
