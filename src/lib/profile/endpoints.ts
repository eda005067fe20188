import { ServiceError } from '../errors.ts'
import type { CloudProfile, DnsService } from './cloud-profile.ts'
import { dnsLabelPattern } from './patterns.ts'
import { showValue } from './show-value.ts'

const metadataPath = 'metadata/endpoints'
const metadataQuery = 'api-version=2015-01-01'

/**
 * The address of one resource of a service, such as `https://myaccount.blob.core.windows.net/`.
 *
 * @param name One DNS label (letters, digits, inner hyphens, at most 63), so that a name can never change the host.
 * @throws {ServiceError} `ARGUMENT_INVALID` for any other name.
 */
export function serviceUrl(profile: CloudProfile, service: DnsService, name: string): string {
  const address = `https://${name}${profile.serviceDnsSuffixes[service]}/`
  if (!dnsLabelPattern.test(name) || !URL.canParse(address)) {
    throw new ServiceError(
      'ARGUMENT_INVALID',
      `name must be one DNS label (letters, digits, inner hyphens, at most 63 characters), but is ${showValue(name)}`,
    )
  }
  return new URL(address).href
}

/**
 * The address of a path of the resource manager. A base path of the endpoint is kept.
 *
 * @param path Relative to the endpoint, with or without a leading slash, optionally with a query.
 * @throws {ServiceError} `ARGUMENT_INVALID` when the path would leave the endpoint's host or base path.
 */
export function resourceManagerUrl(profile: CloudProfile, path: string): string {
  const base = new URL(profile.resourceManagerEndpoint)
  const relative = path.replace(/^\//, '')
  const leaves = () =>
    new ServiceError(
      'ARGUMENT_INVALID',
      `path must stay below the resource manager endpoint, but is ${showValue(path)}`,
    )
  if (/^[/\\]|\\|[\p{Cc}]/u.test(relative)) throw leaves()
  const url = new URL(`${base.href}${relative}`)
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) throw leaves()
  return url.href
}

/**
 * The query address of a metadata document: from a resource manager endpoint, or from a metadata endpoint, with or
 * without its path, query and final slash. Never has a double slash.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` when the endpoint is no http or https URL or carries user information.
 */
export function metadataUrl(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new ServiceError(
      'ARGUMENT_INVALID',
      `endpoint must be an absolute http or https URL without user information, but is ${showValue(endpoint)}`,
    )
  }
  const path = url.pathname.replace(/\/+/g, '/').replace(/\/$/, '')
  url.pathname = path.toLowerCase().endsWith(`/${metadataPath}`) ? path : `${path}/${metadataPath}`
  url.search = metadataQuery
  url.hash = ''
  return url.href
}
