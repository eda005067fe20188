import { ServiceError } from '../errors.ts'
import { showValue } from '../base/printable.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'

/**
 * The scope of a token request: the audience followed by `.default`, verbatim. Some services tell `…//.default` from
 * `…/.default`, so nothing is trimmed or added.
 *
 * @param audience As profiles have it: it ends with `/`, which separates it from `.default`.
 * @throws {ServiceError} `ARGUMENT_INVALID` for an audience without its final slash, or with `.default` in it already.
 */
export function scopeFor(audience: string): string {
  if (typeof audience === 'string' && audience.endsWith('/') && !audience.endsWith('/.default/')) {
    return `${audience}.default`
  }
  const message = `audience must end with "/", without ".default", but is ${showValue(audience)}`
  throw new ServiceError('ARGUMENT_INVALID', message)
}

/** Where a resource manager publishes its metadata. */
export const metadataPath = 'metadata/endpoints'
const metadataQuery = 'api-version=2015-01-01'

/**
 * The address of a path of the resource manager. The address includes the base path of the endpoint.
 *
 * @param path Relative to the endpoint, with or without a leading slash, optionally with a query.
 * @throws {ServiceError} `ARGUMENT_INVALID` when the path would leave the endpoint's host or base path.
 */
export function resourceManagerUrl(profile: CloudProfile, path: string): string {
  // Without the table of check-arguments.ts, which a bundle of `scopeFor` would contain.
  const endpoint: unknown = (profile as CloudProfile | undefined)?.resourceManagerEndpoint
  const base = typeof endpoint === 'string' ? URL.parse(endpoint) : null
  if (base === null) {
    const message = `profile must be a cloud profile, but its resourceManagerEndpoint is ${showValue(endpoint)}`
    throw new ServiceError('ARGUMENT_INVALID', message)
  }
  const leaves = () =>
    new ServiceError(
      'ARGUMENT_INVALID',
      `path must stay below the resource manager endpoint, but is ${showValue(path)}`,
    )
  if (typeof path !== 'string') throw leaves()
  const relative = path.replace(/^\//, '')
  if (/^[/\\]|\\|[\p{Cc}]/u.test(relative)) throw leaves()
  const url = new URL(`${base.href}${relative}`)
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) throw leaves()
  return url.href
}

/**
 * The query address of a metadata document. A resource manager endpoint (it ends with `/`) or a bare host gets the path `/metadata/endpoints`; a
 * metadata endpoint keeps its path and query, with `api-version` set. Never has a double slash.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` when the endpoint isn't an http or https URL or carries user information.
 */
export function metadataUrl(endpoint: string): string {
  const url = parseEndpoint(endpoint)
  const isMetadataPath = !url.pathname.endsWith('/') || url.pathname.toLowerCase().endsWith(`/${metadataPath}/`)
  return query(url, isMetadataPath ? url.pathname : `${url.pathname}${metadataPath}`)
}

/** As {@link metadataUrl}, for a metadata endpoint: only a bare host gets the path. */
export function metadataEndpointUrl(metadataEndpoint: string): string {
  const url = parseEndpoint(metadataEndpoint)
  return query(url, url.pathname === '/' ? `/${metadataPath}` : url.pathname)
}

function parseEndpoint(endpoint: string): URL {
  const url = URL.parse(endpoint)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    const message = `endpoint must be an absolute http or https URL without user information, but is ${showValue(endpoint)}`
    throw new ServiceError('ARGUMENT_INVALID', message)
  }
  // In one pass, because the endpoint may come from another system.
  const isKept = (segment: string, index: number, all: readonly string[]) =>
    segment !== '' || index === 0 || index === all.length - 1
  url.pathname = url.pathname.split('/').filter(isKept).join('/')
  return url
}

/** Other parameters of the query stay unchanged. */
function query(url: URL, path: string): string {
  const kept = url.search.slice(1).split('&')
  const others = kept.filter((each) => each !== '' && !/^api-version(=|$)/i.test(each))
  url.pathname = path.toLowerCase().endsWith(`/${metadataPath}/`) ? path.slice(0, -1) : path
  url.search = `?${[...others, metadataQuery].join('&')}`
  url.hash = ''
  return url.href
}
