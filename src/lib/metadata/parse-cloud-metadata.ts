import type { CloudService } from '../clouds/services-of.ts'
import { ServiceError } from '../errors.ts'
import { tenantPattern } from '../profile/field-rules.ts'
import { showValue } from '../base/printable.ts'
import { isPlaceholder } from '../profile/placeholders.ts'
import type { CloudMetadata, WholeCloudMetadata } from './cloud-metadata.ts'
import {
  ListedCloud,
  MetadataDocument,
  addressNames,
  serviceAddresses,
  serviceRows,
  serviceSuffixRows,
  suffixNames,
} from './metadata-document.ts'
import { isDnsSuffix, readDnsSuffix, readIdentifier, readUrl, resourceManagerOf } from './metadata-values.ts'

/**
 * Reads a metadata document of any known version. Pure.
 *
 * @param document Parsed JSON: one cloud, or a list of clouds.
 * @param endpoint The resource manager (or metadata) endpoint that was asked. Of a list, its entry is taken, never
 *   simply the first; a document that describes only other clouds is refused.
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
  const { entry, path } = pickCloud(document, asked)
  const result = MetadataDocument.safeParse(entry)
  if (!result.success) {
    const [issue] = result.error.issues
    throw invalid([path, ...(issue?.path ?? [])], issue === undefined ? 'is invalid' : describeIssue(issue))
  }
  const cloud = result.data
  const at = (field: string) => (path === '' ? field : `${path}.${field}`)

  const { loginEndpoint, audiences, tenant } = cloud.authentication
  if (loginEndpoint === undefined) throw invalid([at('authentication.loginEndpoint')], 'is missing')
  const [audience, ...others] = audiences.map((value, index) =>
    readIdentifier(value, at(`authentication.audiences[${index}]`)),
  )
  if (audience === undefined) throw invalid([at('authentication.audiences')], 'is missing or empty')
  if (tenant !== undefined && !tenantPattern.test(tenant)) {
    throw invalid([at('authentication.tenant')], `must be a tenant, but is ${showValue(tenant)}`)
  }

  const addresses = Object.fromEntries(
    Object.entries(addressNames).flatMap(([field, { newer, older }]) => {
      const name = [newer, older].find((each) => cloud[each] !== undefined)
      const text = name && cloud[name]
      if (name === undefined || text === undefined) return []
      const value = readUrl(text, at(name))
      // The author of a placeholder does not know the address.
      return isPlaceholder(value) ? [] : [[field, value]]
    }),
  ) as Readonly<Partial<Record<keyof typeof addressNames, string>>>
  const suffixes = readSuffixes(cloud, at)
  const services = readServices(cloud, addresses)
  return {
    resourceManagerEndpoint:
      cloud.resourceManager === undefined
        ? asked
        : resourceManagerOf(readUrl(cloud.resourceManager, at('resourceManager'))),
    loginEndpoint: readUrl(loginEndpoint, at('authentication.loginEndpoint'), { https: true, base: true }),
    audiences: [audience, ...others],
    ...(tenant === undefined ? {} : { tenant }),
    ...addresses,
    ...(Object.keys(suffixes).length === 0 ? {} : { dnsSuffixes: suffixes }),
    ...(Object.keys(services).length === 0 ? {} : { services }),
  }
}

function readSuffixes(cloud: MetadataDocument, at: (field: string) => string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(suffixNames).flatMap(([service, field]) => {
      const value = cloud.suffixes?.[field]
      return value === undefined ? [] : [[service, readDnsSuffix(value, at(`suffixes.${field}`))]]
    }),
  )
}

/** The valid values of services: an invalid one is no reason to refuse a cloud. */
function readServices(
  cloud: MetadataDocument,
  addresses: Readonly<Partial<Record<keyof typeof addressNames, string>>>,
): Record<string, CloudService> {
  const found = [
    ...serviceRows.flatMap(({ name, fields }) => {
      const value = cloud[name]
      return value !== undefined && isToolUrl(value) ? fields.map((field) => [field, value] as const) : []
    }),
    ...serviceSuffixRows.flatMap(({ name, fields }) => {
      const value = cloud.suffixes?.[name]?.replace(/^\.|\.$/g, '')
      return value !== undefined && isDnsSuffix(value) ? fields.map((field) => [field, `.${value}`] as const) : []
    }),
    ...Object.entries(serviceAddresses).flatMap(([address, fields]) => {
      const value = addresses[address as keyof typeof serviceAddresses]
      return value === undefined ? [] : fields.map((field) => [field, value] as const)
    }),
  ]
  const services: Record<string, Record<string, string>> = {}
  for (const [field, value] of found) {
    const [service = '', member = ''] = field.split('.')
    services[service] = { ...services[service], [member]: value }
  }
  return services
}

/** Kept as it is spelled: to some tools a final slash matters. */
function isToolUrl(value: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(value) || /[?#\\]/.test(value) || !URL.canParse(value)) return false
  const { username, password } = new URL(value)
  return `${username}${password}` === '' && !isPlaceholder(value)
}

interface Issue {
  readonly code?: string
  readonly expected?: unknown
  readonly maximum?: unknown
  readonly origin?: unknown
}

function describeIssue({ code, expected, maximum, origin }: Issue): string {
  if (code === 'invalid_type') return `must be ${String(expected)}`
  if (code === 'too_big') return `must have at most ${String(maximum)} ${origin === 'array' ? 'entries' : 'characters'}`
  return 'is invalid'
}

function invalid(path: readonly PropertyKey[], problem: string): ServiceError {
  const field = path.filter((key) => key !== '').join('.')
  return new ServiceError('METADATA_INVALID', `The metadata document's ${field === '' ? 'content' : field} ${problem}`)
}

/** One cloud of a document, with its place in it: `""` for a document that is one cloud, `[1]` for a list's second. */
interface PickedCloud {
  readonly entry: unknown
  readonly path: string
}

/**
 * The entry of the cloud whose resource manager was asked. Some clouds answer with a list that starts with another
 * cloud, so a position says nothing: only the host counts. A single entry that names no resource manager is the
 * cloud that answered.
 *
 * @throws {ServiceError} `METADATA_CLOUD_NOT_LISTED` that names the listed clouds, or `METADATA_INVALID`.
 */
function pickCloud(document: unknown, resourceManagerEndpoint: string): PickedCloud {
  const isList = Array.isArray(document)
  const entries: readonly unknown[] = isList ? document : [document]
  const listed = entries.flatMap((entry, index) => {
    const cloud = ListedCloud.safeParse(entry)
    return cloud.success ? [{ ...cloud.data, entry, path: isList ? `[${index}]` : '' }] : []
  })
  const [only] = listed
  if (only === undefined) {
    const found = entries.length === 0 ? 'an empty list' : isList ? 'a list of something else' : showValue(document)
    throw new ServiceError(
      'METADATA_INVALID',
      `The metadata document must be one cloud or a list of clouds, but is ${found}`,
    )
  }
  if (entries.length === 1 && only.resourceManager === undefined) return only

  const host = hostOf(resourceManagerEndpoint)
  const match = listed.find(({ resourceManager }) => resourceManager !== undefined && hostOf(resourceManager) === host)
  if (match !== undefined) return match
  const names = listed.slice(0, 8).map(({ name, resourceManager }) => showValue(resourceManager ?? name ?? '?'))
  throw new ServiceError(
    'METADATA_CLOUD_NOT_LISTED',
    `The metadata document does not describe the resource manager ${new URL(resourceManagerEndpoint).host}, only ${names.join(', ')}${listed.length > 8 ? ' and more' : ''}`,
  )
}

/** Host and port, lower-cased, without a default port and the dot of the root. */
function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { hostname, port } = new URL(url)
  return `${hostname.replace(/\.$/, '')}:${port}`
}
