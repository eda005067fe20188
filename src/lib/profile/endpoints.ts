import { argumentError, mustBe } from '../errors.ts'
import { showValue } from '../base/printable.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'

/**
 * The scope of a token request: the audience followed by `.default`. Some services distinguish `…//.default` from `…/.default`, so the audience
 * stays unchanged.
 *
 * @param audience As profiles have it: it ends with `/`, which separates it from `.default`.
 * @throws {ServiceError} `ARGUMENT_INVALID` for an audience without its final slash, or with `.default` in it already.
 */
export function scopeFor(audience: string): string {
  if (typeof audience === 'string' && audience.endsWith('/') && !audience.endsWith('/.default/')) {
    return `${audience}.default`
  }
  const message = `audience must end with "/", without ".default", but is ${showValue(audience)}`
  throw argumentError({ message, fix: 'Pass an audience as profiles have it, with one final "/".' })
}

/** The path of the metadata of a resource manager. */
export const metadataPath = 'metadata/endpoints'
const metadataQuery = 'api-version=2015-01-01'

/**
 * The address of a path below the resource manager endpoint, which may have a base path.
 *
 * @param path Relative to the endpoint, with or without a leading slash, optionally with a query.
 * @throws {ServiceError} `ARGUMENT_INVALID` when the path would leave the endpoint's host or base path.
 */
export function resourceManagerUrl(profile: CloudProfile, path: string): string {
  // A bundle of `scopeFor` contains this file, so it doesn't import check-arguments.ts.
  const endpoint: unknown = (profile as CloudProfile | undefined)?.resourceManagerEndpoint
  const base = typeof endpoint === 'string' ? URL.parse(endpoint) : null
  if (base === null) {
    const message = `profile must be a cloud profile, but its resourceManagerEndpoint is ${showValue(endpoint)}`
    throw argumentError({ message, fix: 'Pass the result of resolveCloudProfile or parseCloudProfile as profile.' })
  }
  const relative = typeof path === 'string' ? path.replace(/^\//, '') : undefined
  const isSafe = relative !== undefined && !/^[/\\]|\\|[\p{Cc}]/u.test(relative)
  const url = isSafe ? new URL(`${base.href}${relative}`) : undefined
  if (url?.origin === base.origin && url.pathname.startsWith(base.pathname)) return url.href
  const message = `path must stay below the resource manager endpoint, but is ${showValue(path)}`
  throw argumentError({ message, fix: 'Pass a relative path, such as subscriptions?api-version=2022-12-01.' })
}

/**
 * The address that returns a metadata document. A resource manager endpoint (it ends with `/`) or a bare host gets the path
 * `/metadata/endpoints`. A metadata endpoint keeps its path and query. `api-version` is set, and the path has no double slash.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` when the endpoint isn't an http or https URL or carries user information.
 */
export function metadataUrl(endpoint: string): string {
  return metadataAddress(endpoint, (path) => path.endsWith('/') && !path.toLowerCase().endsWith(`/${metadataPath}/`))
}

/** Like {@link metadataUrl}, for a metadata endpoint: only a bare host gets the path. */
export function metadataEndpointUrl(metadataEndpoint: string): string {
  return metadataAddress(metadataEndpoint, (path) => path === '/')
}

/** Sets `api-version`, and keeps the other parameters. */
function metadataAddress(endpoint: string, isBase: (path: string) => boolean): string {
  const url = URL.parse(endpoint)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    const rule = 'an absolute http or https URL without user information'
    throw argumentError(mustBe('endpoint', rule, showValue(endpoint)))
  }
  // Not by a regular expression: the endpoint may come from another system, so this must take linear time.
  const isKept = (segment: string, index: number, all: readonly string[]) =>
    segment !== '' || index === 0 || index === all.length - 1
  const path = url.pathname.split('/').filter(isKept).join('/')
  const others = url.search
    .slice(1)
    .split('&')
    .filter((each) => each !== '' && !/^api-version(=|$)/i.test(each))
  const whole = isBase(path) ? `${path}${metadataPath}` : path
  url.pathname = whole.toLowerCase().endsWith(`/${metadataPath}/`) ? whole.slice(0, -1) : whole
  url.search = `?${[...others, metadataQuery].join('&')}`
  url.hash = ''
  return url.href
}
