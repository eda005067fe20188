import { withoutFinalSlashes } from '../base/address.ts'
import { ServiceError } from '../errors.ts'
import { metadataUrl } from '../profile/endpoints.ts'
import { showValue } from '../base/printable.ts'

// Every value of a metadata document passes through this file, which accepts printable ASCII only, so that the value is harmless in a log,
// terminal, page or export. Lengths are bounded before (metadata-document.ts), and no expression here takes more than one pass.

/**
 * The resource manager endpoint behind an address: normalized, without metadata path and query, with a final slash.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` when the address is no http or https URL.
 */
export function resourceManagerOf(address: string): string {
  const url = withoutRootDot(new URL(metadataUrl(address)))
  return `${url.origin}${withoutFinalSlashes(url.pathname.replace(/\/metadata\/endpoints$/i, ''))}/`
}

/** Normalizes an address. With `base`, it ends with a slash. @throws {ServiceError} `METADATA_INVALID` */
export function readUrl(
  value: string,
  field: string,
  { https = false, base = false }: { readonly https?: boolean; readonly base?: boolean } = {},
): string {
  const parsed = /^https?:\/\//i.test(value) && URL.canParse(value) ? new URL(value) : undefined
  if (parsed === undefined || parsed.username !== '' || parsed.password !== '') {
    throw invalidValue(field, `must be an absolute URL without user information, but is ${showValue(value)}`)
  }
  const url = withoutRootDot(parsed)
  if (https && url.protocol !== 'https:')
    throw invalidValue(field, `must start with https://, but is ${showValue(value)}`)
  return base ? `${url.origin}${withoutFinalSlashes(url.pathname)}/` : url.href
}

/** An audience is an identifier, so its spelling stays unchanged. @throws {ServiceError} `METADATA_INVALID` */
export function readIdentifier(value: string, field: string): string {
  const isIdentifier = /^[a-z][a-z0-9+.-]*:\/\/[^\s\\?#@/]+(\/[^\s\\?#]*)?$/i.test(value) && URL.canParse(value)
  if (isIdentifier && /^[\x21-\x7e]+$/.test(value)) return value
  throw invalidValue(
    field,
    `must be an absolute URL of printable ASCII without query or fragment, but is ${showValue(value)}`,
  )
}

/** @throws {ServiceError} `METADATA_INVALID` when it could not be part of a host name. */
export function readDnsSuffix(value: string, field: string): string {
  const suffix = value.replace(/\.$/, '')
  if (isDnsSuffix(suffix.replace(/^\./, ''))) return suffix
  throw invalidValue(field, `must be a DNS suffix, but is ${showValue(value)}`)
}

/** Whether a text is the address of a service. Its spelling stays: to some tools a final slash matters. */
export function isToolUrl(value: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(value) || /[?#\\]/.test(value)) return false
  const url = URL.parse(value)
  return url !== null && `${url.username}${url.password}` === ''
}

/** Whether a text is DNS labels with a `.` between them. */
export function isDnsSuffix(text: string): boolean {
  return text.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(label))
}

/** `management.enclave.test.` names the same host as without its last dot, and no profile has that one. */
function withoutRootDot(url: URL): URL {
  const copy = new URL(url)
  copy.hostname = url.hostname.replace(/\.$/, '')
  return copy
}

/** An unusable value of a document. @param field Its path; empty for the document as a whole. */
export function invalidValue(field: string, problem: string): ServiceError {
  return new ServiceError('METADATA_INVALID', `The metadata document's ${field === '' ? 'content' : field} ${problem}`)
}
