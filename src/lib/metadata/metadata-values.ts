import { ServiceError } from '../errors.ts'
import { metadataUrl } from '../profile/endpoints.ts'
import { showValue } from '../profile/show-value.ts'

/**
 * The resource manager endpoint behind an address: normalised, without metadata path and query, with a final slash.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` when the address is no http or https URL.
 */
export function resourceManagerOf(address: string): string {
  const url = new URL(metadataUrl(address))
  return `${url.origin}${url.pathname.replace(/\/metadata\/endpoints$/i, '')}/`
}

/** Normalises an address. With `base`, it ends with a slash. @throws {ServiceError} `METADATA_INVALID` */
export function readUrl(
  value: string,
  field: string,
  { https = false, base = false }: { readonly https?: boolean; readonly base?: boolean } = {},
): string {
  const url = /^https?:\/\//i.test(value) && URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || url.username !== '' || url.password !== '') {
    throw invalid(field, `must be an absolute URL without user information, but is ${showValue(value)}`)
  }
  if (https && url.protocol !== 'https:') throw invalid(field, `must start with https://, but is ${showValue(value)}`)
  if (!base) return url.href
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/`
}

/** An audience is an identifier and kept as it is spelled. @throws {ServiceError} `METADATA_INVALID` */
export function readIdentifier(value: string, field: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\/[^\s\\?#@/]+(\/[^\s\\?#]*)?$/i.test(value) && URL.canParse(value)) return value
  throw invalid(field, `must be an absolute URL without query or fragment, but is ${showValue(value)}`)
}

/** @throws {ServiceError} `METADATA_INVALID` when it could not be part of a host name. */
export function readDnsSuffix(value: string, field: string): string {
  if (/^\.?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(value)) return value
  throw invalid(field, `must be a DNS suffix, but is ${showValue(value)}`)
}

function invalid(field: string, problem: string): ServiceError {
  return new ServiceError('METADATA_INVALID', `The metadata document's ${field} ${problem}`)
}
