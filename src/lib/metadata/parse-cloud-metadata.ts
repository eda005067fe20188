import { withoutFinalSlashes } from '../base/address.ts'
import { isObject, valueAt } from '../base/json.ts'
import { tenantPattern } from '../base/names.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { showValue } from '../base/printable.ts'
import type { CloudFile } from '../clouds/cloud-profile.ts'
import { ServiceError } from '../errors.ts'
import { metadataUrl } from '../profile/endpoints.ts'
import { withValueAt, isPlaceholder } from '../profile/field-path.ts'
import type { CloudMetadata, WholeCloudMetadata } from './cloud-metadata.ts'
import { addressRows, suffixRows, type DocumentRow } from './metadata-document.ts'

// Every value of a metadata document passes through this file. It accepts only printable ASCII of bounded length, so that a value is harmless
// in a log, terminal, page or export. Every expression here takes linear time.

/** Limits in characters, far above any real value. A document has at most 1 MiB. */
const longestUrl = 2048
const longestName = 256
const mostAudiences = 64

/**
 * Reads a metadata document of any known version. Pure.
 *
 * @param document Parsed JSON: one cloud, or a list of clouds.
 * @param endpoint The requested resource manager or metadata endpoint. It selects the entry of a list; a document without it is refused.
 * @throws {ServiceError} `METADATA_INVALID` that names the field, `METADATA_CLOUD_NOT_LISTED`, or `ARGUMENT_INVALID`
 *   for the endpoint.
 */
export function parseCloudMetadata(document: unknown, endpoint: string): CloudMetadata {
  const { services: _forOtherTools, ...metadata } = parseWholeMetadata(document, endpoint)
  return metadata
}

/** As {@link parseCloudMetadata}, with the values that only other tools need. */
export function parseWholeMetadata(document: unknown, endpoint: string): WholeCloudMetadata {
  const asked = resourceManagerOf(endpoint)
  const cloud = pickCloud(document, asked)
  for (const group of ['authentication', 'suffixes']) {
    const value = valueAt(cloud.entry, group) ?? (group === 'suffixes' ? {} : undefined)
    if (!isObject(value)) throw invalidValue(cloud.at(group), 'must be object')
  }
  const text = (field: string, longest = longestUrl) => readText(valueAt(cloud.entry, field), cloud.at(field), longest)
  const resourceManager = text('resourceManager')
  const loginEndpoint = text('authentication.loginEndpoint')
  if (loginEndpoint === undefined) throw invalidValue(cloud.at('authentication.loginEndpoint'), 'is missing')
  const [audience, ...others] = readAudiences(cloud)
  if (audience === undefined) throw invalidValue(cloud.at('authentication.audiences'), 'is missing or empty')
  const tenant = text('authentication.tenant', longestName)
  if (tenant !== undefined && !tenantPattern.test(tenant)) {
    throw invalidValue(cloud.at('authentication.tenant'), `must be a tenant, but is ${showValue(tenant)}`)
  }

  const login = readUrl(loginEndpoint, cloud.at('authentication.loginEndpoint'), { https: true, base: true })
  const identityProvider = usableText(valueAt(cloud.entry, 'authentication.identityProvider'), longestName)
  const values = [
    ...readRows(cloud, addressRows, '', longestUrl, readUrl, (value) => (isToolUrl(value) ? value : undefined)),
    ...readRows(cloud, suffixRows, 'suffixes.', longestName, readDnsSuffix, (value) => {
      const bare = value.replace(/^\.|\.$/g, '')
      return isDnsSuffix(bare) ? `.${bare}` : undefined
    }),
    // A placeholder's author doesn't know the address.
  ].filter(({ value }) => !isPlaceholder(value))
  let profile: {
    readonly serviceDnsSuffixes?: CloudMetadata['dnsSuffixes']
    readonly services?: CloudFile['services']
  } = {}
  for (const { row, value } of values) for (const path of row.fields) profile = withValueAt(profile, path, value)
  const { serviceDnsSuffixes: dnsSuffixes, services } = profile
  return {
    resourceManagerEndpoint:
      resourceManager === undefined ? asked : resourceManagerOf(readUrl(resourceManager, cloud.at('resourceManager'))),
    // The login endpoint of Azure Local comes without the path of its federation service.
    loginEndpoint: identityProviderOf(
      { authorityHost: login },
      identityProvider?.toUpperCase() === 'ADFS' ? 'adfs' : tenant,
    ).authorityUrl,
    audiences: [audience, ...others],
    ...(tenant === undefined ? {} : { tenant }),
    ...Object.fromEntries(values.flatMap(({ row, value }) => (row.older === undefined ? [] : [[row.older, value]]))),
    ...(dnsSuffixes && { dnsSuffixes }),
    ...(services && { services }),
  }
}

interface RowValue {
  readonly row: DocumentRow
  readonly value: string
}

/**
 * The values of the rows, by their newer or older names.
 *
 * @param tolerant Returns `undefined` for an invalid value, which is ignored.
 */
function readRows(
  { entry, at }: PickedCloud,
  rows: readonly DocumentRow[],
  group: string,
  longest: number,
  strict: (value: string, field: string) => string,
  tolerant: (value: string) => string | undefined,
): RowValue[] {
  return rows.flatMap((row) => {
    const names = [row.newer, ...(row.older === undefined ? [] : [row.older])].map((name) => `${group}${name}`)
    const [found] = names.flatMap((name) => {
      const given = valueAt(entry, name)
      const text = row.strict === true ? readText(given, at(name), longest) : usableText(given, longestUrl)
      return text === undefined ? [] : [{ name, text }]
    })
    const value = found && (row.strict === true ? strict(found.text, at(found.name)) : tolerant(found.text))
    return value === undefined ? [] : [{ row, value }]
  })
}

/** A trimmed text, or `undefined` if it is blank or too long. */
function usableText(value: unknown, longest: number): string | undefined {
  return typeof value === 'string' && value.length <= longest && value.trim() !== '' ? value.trim() : undefined
}

/** A trimmed text. A missing value, `null` or `""` means that the cloud publishes none. @throws {ServiceError} `METADATA_INVALID` for anything else. */
function readText(value: unknown, field: string, longest: number): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalidValue(field, 'must be string')
  if (value.length > longest) throw invalidValue(field, `must have at most ${longest} characters`)
  return usableText(value, longest)
}

function readAudiences({ entry, at }: PickedCloud): string[] {
  const field = 'authentication.audiences'
  const list = valueAt(entry, field) ?? []
  if (!Array.isArray(list)) throw invalidValue(at(field), 'must be array')
  if (list.length > mostAudiences) throw invalidValue(at(field), `must have at most ${mostAudiences} entries`)
  return list
    .flatMap((value: unknown, index) => readText(value, at(`${field}.${index}`), longestUrl) ?? [])
    .map((value, index) => readIdentifier(value, at(`${field}[${index}]`)))
}

/** A cloud in a document. */
interface PickedCloud {
  readonly entry: unknown
  /** The path of a field in the document, which begins with `[1]` for the second cloud of a list. */
  readonly at: (field: string) => string
}

/**
 * The entry of the requested resource manager, by its host: some clouds respond with a list that begins with another cloud. A single entry
 * without a resource manager is the cloud that responded.
 *
 * @throws {ServiceError} `METADATA_CLOUD_NOT_LISTED` that names the listed clouds, or `METADATA_INVALID`.
 */
function pickCloud(document: unknown, resourceManagerEndpoint: string): PickedCloud {
  const isList = Array.isArray(document)
  const entries: readonly unknown[] = isList ? document : [document]
  const listed = entries.flatMap((entry, index) => {
    if (!isObject(entry)) return []
    const [name, resourceManager] = [entry['name'], entry['resourceManager']].map((value) =>
      usableText(value, longestUrl),
    )
    const at = (field: string) => (isList ? `[${index}].${field}` : field)
    return [{ name, resourceManager, entry, at }]
  })
  const [only] = listed
  if (only === undefined) {
    const found = entries.length === 0 ? 'an empty list' : isList ? 'a list of something else' : showValue(document)
    const message = `The metadata document must be one cloud or a list of clouds, but is ${found}`
    throw new ServiceError('METADATA_INVALID', message)
  }
  if (entries.length === 1 && only.resourceManager === undefined) return only

  const host = hostOf(resourceManagerEndpoint)
  const match = listed.find(({ resourceManager }) => resourceManager !== undefined && hostOf(resourceManager) === host)
  if (match !== undefined) return match
  const names = listed.slice(0, 8).map(({ name, resourceManager }) => showValue(resourceManager ?? name ?? '?'))
  const message = `The metadata document does not describe the resource manager ${new URL(resourceManagerEndpoint).host}, only ${names.join(', ')}${listed.length > 8 ? ' and more' : ''}`
  throw new ServiceError('METADATA_CLOUD_NOT_LISTED', message, {
    evidence: { publishedResourceManager: only.resourceManager },
  })
}

/** Host and port in lower case, without a default port or a final dot. */
function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { hostname, port } = new URL(url)
  return `${hostname.replace(/\.$/, '')}:${port}`
}

/**
 * The resource manager endpoint behind an address: normalized, without metadata path and query, with a final slash.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` when the address isn't an http or https URL.
 */
function resourceManagerOf(address: string): string {
  const url = withoutRootDot(new URL(metadataUrl(address)))
  return `${url.origin}${withoutFinalSlashes(url.pathname.replace(/\/metadata\/endpoints$/i, ''))}/`
}

/** Normalizes an address. With `base`, it ends with a slash. @throws {ServiceError} `METADATA_INVALID` */
function readUrl(
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
function readIdentifier(value: string, field: string): string {
  const isIdentifier = /^[a-z][a-z0-9+.-]*:\/\/[^\s\\?#@/]+(\/[^\s\\?#]*)?$/i.test(value) && URL.canParse(value)
  if (isIdentifier && /^[\x21-\x7e]+$/.test(value)) return value
  throw invalidValue(
    field,
    `must be an absolute URL of printable ASCII without query or fragment, but is ${showValue(value)}`,
  )
}

/** @throws {ServiceError} `METADATA_INVALID` if it can't be part of a host name. */
function readDnsSuffix(value: string, field: string): string {
  const suffix = value.replace(/\.$/, '')
  if (isDnsSuffix(suffix.replace(/^\./, ''))) return suffix
  throw invalidValue(field, `must be a DNS suffix, but is ${showValue(value)}`)
}

/** Whether a text is the address of a service. Its spelling stays unchanged, because some tools need a final slash or none. */
function isToolUrl(value: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(value) || /[?#\\]/.test(value)) return false
  const url = URL.parse(value)
  return url !== null && `${url.username}${url.password}` === ''
}

/** Whether a text consists of DNS labels. */
function isDnsSuffix(text: string): boolean {
  return text.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(label))
}

/** `management.enclave.test.` is the same host as the name without the final dot, which profiles have. */
function withoutRootDot(url: URL): URL {
  const copy = new URL(url)
  copy.hostname = url.hostname.replace(/\.$/, '')
  return copy
}

/** @param field The path in the document. */
function invalidValue(field: string, problem: string): ServiceError {
  return new ServiceError('METADATA_INVALID', `The metadata document's ${field} ${problem}`)
}
