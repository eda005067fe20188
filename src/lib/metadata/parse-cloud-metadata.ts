import { withoutFinalSlashes } from '../base/address.ts'
import { isObject, valueAt, ownCopy } from '../base/json.ts'
import { tenantPattern } from '../base/names.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { showValue } from '../base/printable.ts'
import type { CloudFile } from '../clouds/cloud-profile.ts'
import { ServiceError } from '../errors.ts'
import { metadataUrl } from '../profile/endpoints.ts'
import { withValueAt, isPlaceholder } from '../profile/field-path.ts'
import { type CloudMetadata, documentRows, olderAddresses, type WholeCloudMetadata } from './cloud-metadata.ts'

// Every value of a metadata document passes through this file. It accepts only short texts of printable ASCII, which are harmless in a log, a
// terminal, a page or an export. Every regular expression here takes linear time.

/** In characters. Real values are much shorter. */
const longestUrl = 2048
const longestName = 256
const mostAudiences = 64

/** Reads a metadata document of any known version. A list must contain the cloud of the requested endpoint. */
export function parseCloudMetadata(document: unknown, endpoint: string): CloudMetadata {
  const { services: _forOtherTools, audiences, ...metadata } = ownCopy(parseWholeMetadata(document, endpoint))
  const [audience, ...others] = audiences
  if (audience !== undefined) return { ...metadata, audiences: [audience, ...others] }
  const { at } = pickCloud(document, resourceManagerOf(endpoint))
  throw invalidValue(at('authentication.audiences'), 'is missing or empty')
}

/** As {@link parseCloudMetadata}, with the services, which only other tools need, and maybe without audiences. @param version The requested one. */
export function parseWholeMetadata(document: unknown, endpoint: string, version?: string): WholeCloudMetadata {
  const requested = resourceManagerOf(endpoint)
  const cloud = pickCloud(document, requested)
  for (const group of ['authentication', 'suffixes']) {
    const value = valueAt(cloud.entry, group) ?? (group === 'suffixes' ? {} : undefined)
    if (!isObject(value)) throw invalidValue(cloud.at(group), 'must be an object')
  }
  const text = (field: string, longest = longestUrl) => readText(valueAt(cloud.entry, field), cloud.at(field), longest)
  const resourceManager = text('resourceManager')
  const loginEndpoint = text('authentication.loginEndpoint')
  if (loginEndpoint === undefined) throw invalidValue(cloud.at('authentication.loginEndpoint'), 'is missing')
  const tenant = text('authentication.tenant', longestName)
  if (tenant !== undefined && !tenantPattern.test(tenant)) {
    throw invalidValue(cloud.at('authentication.tenant'), `must be a tenant, but is ${showValue(tenant)}`)
  }

  const login = readLogin(loginEndpoint, cloud.at('authentication.loginEndpoint'))
  const identityProvider = readText(valueAt(cloud.entry, 'authentication.identityProvider'), undefined, longestName)
  // Azure Local leaves out the path of its federation service, but names its identity provider.
  const named = identityProvider?.toUpperCase() === 'ADFS' ? 'adfs' : tenant
  const older: Record<string, string> = {}
  let filled: Pick<CloudFile, 'serviceDnsSuffixes' | 'services'> = {}
  for (const { name, fields, value } of readRows(cloud)) {
    if (olderAddresses.has(name)) older[`${name}Endpoint`] = value
    for (const path of fields) filled = withValueAt(filled, path, value)
  }
  const { serviceDnsSuffixes, services } = ownCopy(filled)
  const manager = resourceManager && resourceManagerOf(readUrl(resourceManager, cloud.at('resourceManager')))
  return {
    resourceManagerEndpoint: manager ?? requested,
    loginEndpoint: identityProviderOf({ authorityHost: login }, named).authorityUrl,
    audiences: readAudiences(cloud),
    ...(tenant === undefined ? {} : { tenant }),
    ...older,
    ...(serviceDnsSuffixes && { dnsSuffixes: serviceDnsSuffixes }),
    ...(services && { services }),
    ...(version !== undefined && { versions: [version] }),
  }
}

/** The values of rows. A value that the service itself uses must be valid; any other is for other tools, and ignored if it isn't. */
function readRows({ entry, at }: PickedCloud) {
  return Object.entries(documentRows).flatMap(([name, fields]) => {
    const hasOlder = olderAddresses.has(name)
    const isSuffix = name.startsWith('suffixes.')
    const isOwn = hasOlder || fields[0]?.startsWith('serviceDnsSuffixes.') === true
    const [found] = (hasOlder ? [name, `${name}Endpoint`] : [name]).flatMap((each) => {
      const field = isOwn ? at(each) : undefined
      const text = readText(valueAt(entry, each), field, isOwn && isSuffix ? longestName : longestUrl)
      return text === undefined ? [] : [{ text, field }]
    })
    const value = found && (isSuffix ? readSuffix : readAddress)(found.text, found.field)
    // A placeholder isn't a value.
    return value === undefined || isPlaceholder(value) ? [] : [{ name, fields, value }]
  })
}

/** Trims a text. `undefined` if it is missing, `null` or blank. @param field Throws for an invalid value of it. Default ignores that. */
function readText(value: unknown, field: string | undefined, longest: number): string | undefined {
  if (typeof value === 'string' && value.length <= longest) return value.trim() === '' ? undefined : value.trim()
  if (field === undefined || value === undefined || value === null) return undefined
  throw invalidValue(field, typeof value === 'string' ? `must have at most ${longest} characters` : 'must be a string')
}

function readAudiences({ entry, at }: PickedCloud): string[] {
  const field = 'authentication.audiences'
  const list = valueAt(entry, field) ?? []
  if (!Array.isArray(list)) throw invalidValue(at(field), 'must be an array')
  if (list.length > mostAudiences) throw invalidValue(at(field), `must have at most ${mostAudiences} entries`)
  return list
    .flatMap((value: unknown, index) => readText(value, at(`${field}.${index}`), longestUrl) ?? [])
    .map((value, index) => readIdentifier(value, at(`${field}[${index}]`)))
}

interface PickedCloud {
  readonly entry: unknown
  /** The path of a field in the document. For the second cloud of a list, it begins with `[1]`. */
  readonly at: (field: string) => string
}

/** Finds the cloud of the requested resource manager by its host. A single entry without a resource manager is the cloud that responded. */
function pickCloud(document: unknown, resourceManagerEndpoint: string): PickedCloud {
  const isList = Array.isArray(document)
  const entries: readonly unknown[] = isList ? document : [document]
  const listed = entries.flatMap((entry, index) => {
    if (!isObject(entry)) return []
    const [name, resourceManager] = ['name', 'resourceManager'].map((key) =>
      readText(entry[key], undefined, longestUrl),
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

/** The host and port of a URL, without a default port and a final dot. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? withoutRootDot(new URL(url)).host : undefined
}

/** The resource manager endpoint of an address. Removes the metadata path and the query, and adds a final slash. */
function resourceManagerOf(address: string): string {
  const url = withoutRootDot(new URL(metadataUrl(address)))
  return `${url.origin}${withoutFinalSlashes(url.pathname.replace(/\/metadata\/endpoints$/i, ''))}/`
}

/** Normalizes an address. @throws {ServiceError} `METADATA_INVALID` */
function readUrl(value: string, field: string): string {
  const parsed = /^https?:\/\//i.test(value) ? URL.parse(value) : null
  if (parsed === null || parsed.username !== '' || parsed.password !== '') {
    throw invalidValue(field, `must be an absolute URL without user information, but is ${showValue(value)}`)
  }
  return withoutRootDot(parsed).href
}

/** As {@link readUrl}, for an https address that ends with "/". */
function readLogin(value: string, field: string): string {
  const { protocol, origin, pathname } = new URL(readUrl(value, field))
  if (protocol !== 'https:') throw invalidValue(field, `must start with https://, but is ${showValue(value)}`)
  return `${origin}${withoutFinalSlashes(pathname)}/`
}

/** Checks an audience. It is an identifier, so its spelling stays unchanged. @throws {ServiceError} `METADATA_INVALID` */
function readIdentifier(value: string, field: string): string {
  const isIdentifier = /^[a-z][a-z0-9+.-]*:\/\/[^\s\\?#@/]+(\/[^\s\\?#]*)?$/i.test(value) && URL.canParse(value)
  if (isIdentifier && /^[\x21-\x7e]+$/.test(value)) return value
  const rule = 'must be an absolute URL of printable ASCII without query or fragment'
  throw invalidValue(field, `${rule}, but is ${showValue(value)}`)
}

/** A DNS suffix as it is spelled; without a field, with a leading dot for other tools. @param field Throws for an invalid value of it. */
function readSuffix(value: string, field: string | undefined): string | undefined {
  const bare = value.replace(/^\.|\.$/g, '')
  const isValid = bare.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(label))
  if (isValid) return field === undefined ? `.${bare}` : value.replace(/\.$/, '')
  if (field !== undefined) throw invalidValue(field, `must be a DNS suffix, but is ${showValue(value)}`)
  return undefined
}

/** An address: without a field as it is spelled, because some tools need a final slash and some need none. @param field Throws, as {@link readUrl}. */
function readAddress(value: string, field: string | undefined): string | undefined {
  if (field !== undefined) return readUrl(value, field)
  const url = /^https?:\/\/[\x21-\x7e]+$/i.test(value) && !/[?#\\]/.test(value) ? URL.parse(value) : null
  return url !== null && `${url.username}${url.password}` === '' ? value : undefined
}

/** Removes the final dot of a host: `management.enclave.test.` is the same host as `management.enclave.test`. */
function withoutRootDot(url: URL): URL {
  const copy = new URL(url)
  copy.hostname = url.hostname.replace(/\.$/, '')
  return copy
}

/** @param field The path in the document. */
function invalidValue(field: string, problem: string): ServiceError {
  return new ServiceError('METADATA_INVALID', `The metadata document's ${field} ${problem}`)
}
