import type { CloudService } from '../clouds/cloud-file.ts'
import { ServiceError } from '../errors.ts'
import { tenantPattern } from '../base/names.ts'
import { showValue } from '../base/printable.ts'
import { isPlaceholder } from '../profile/placeholders.ts'
import type { CloudMetadata, WholeCloudMetadata } from './cloud-metadata.ts'
import { addressRows, DocumentAddresses, ListedCloud, MetadataDocument, suffixRows } from './metadata-document.ts'
import type { DocumentRow } from './metadata-document.ts'
import {
  invalidValue,
  isDnsSuffix,
  isToolUrl,
  readDnsSuffix,
  readIdentifier,
  readUrl,
  resourceManagerOf,
} from './metadata-values.ts'

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
  const at = (field: string) => [path, field].filter((part) => part !== '').join('.')
  const read = <T>(result: { data?: T; error?: { issues: Issue[] } | undefined }): T => {
    if (result.data !== undefined) return result.data
    const [issue = { path: [] }] = result.error?.issues ?? []
    throw invalidValue(at(issue.path.join('.')), describeIssue(issue))
  }
  const { authentication, resourceManager, suffixes = {} } = read(MetadataDocument.safeParse(entry))
  const addresses = read(DocumentAddresses.safeParse(entry))

  const { loginEndpoint, audiences, tenant } = authentication
  if (loginEndpoint === undefined) throw invalidValue(at('authentication.loginEndpoint'), 'is missing')
  const [audience, ...others] = audiences.map((value, index) =>
    readIdentifier(value, at(`authentication.audiences[${index}]`)),
  )
  if (audience === undefined) throw invalidValue(at('authentication.audiences'), 'is missing or empty')
  if (tenant !== undefined && !tenantPattern.test(tenant)) {
    throw invalidValue(at('authentication.tenant'), `must be a tenant, but is ${showValue(tenant)}`)
  }

  const values = [
    ...readRows(addressRows, (name) => addresses[name], {
      strict: (value, name) => readUrl(value, at(name)),
      tolerant: (value) => (isToolUrl(value) ? value : undefined),
    }),
    ...readRows(suffixRows, (name) => suffixes?.[name], {
      strict: (value, name) => readDnsSuffix(value, at(`suffixes.${name}`)),
      tolerant: (value) => (isDnsSuffix(withoutDots(value)) ? `.${withoutDots(value)}` : undefined),
    }),
    // The author of a placeholder does not know the address.
  ].filter(({ value }) => !isPlaceholder(value))
  const dnsSuffixes = membersBelow('serviceDnsSuffixes', values)
  const services = servicesIn(values)
  return {
    resourceManagerEndpoint:
      resourceManager === undefined ? asked : resourceManagerOf(readUrl(resourceManager, at('resourceManager'))),
    loginEndpoint: readUrl(loginEndpoint, at('authentication.loginEndpoint'), { https: true, base: true }),
    audiences: [audience, ...others],
    ...(tenant === undefined ? {} : { tenant }),
    ...Object.fromEntries(values.flatMap(({ row, value }) => (row.older === undefined ? [] : [[row.older, value]]))),
    ...(Object.keys(dnsSuffixes).length === 0 ? {} : { dnsSuffixes }),
    ...(Object.keys(services).length === 0 ? {} : { services }),
  }
}

interface RowValue {
  readonly row: DocumentRow
  readonly value: string
}

interface Readers {
  readonly strict: (value: string, name: string) => string
  /** `undefined` for an invalid value, which is no reason to refuse a cloud. */
  readonly tolerant: (value: string) => string | undefined
}

/** The values of the rows that a document has, by their newer name, or else by the older one. */
function readRows(
  rows: readonly DocumentRow[],
  valueOf: (name: string) => string | undefined,
  { strict, tolerant }: Readers,
): RowValue[] {
  return rows.flatMap((row) => {
    const name = [row.newer, row.older].find((each) => each !== undefined && valueOf(each) !== undefined)
    const text = name && valueOf(name)
    if (name === undefined || text === undefined) return []
    const value = row.strict === true ? strict(text, name) : tolerant(text)
    return value === undefined ? [] : [{ row, value }]
  })
}

/** The values of the fields below a group, by the rest of their path. */
function membersBelow(group: string, values: readonly RowValue[]): Record<string, string> {
  return Object.fromEntries(
    values.flatMap(({ row, value }) =>
      row.fields
        .filter((field) => field.startsWith(`${group}.`))
        .map((field) => [field.slice(group.length + 1), value] as const),
    ),
  )
}

function servicesIn(values: readonly RowValue[]): Record<string, CloudService> {
  const services: Record<string, Record<string, string>> = {}
  for (const [path, value] of Object.entries(membersBelow('services', values))) {
    const [service = '', member = ''] = path.split('.')
    services[service] = { ...services[service], [member]: value }
  }
  return services
}

function withoutDots(value: string): string {
  return value.replace(/^\.|\.$/g, '')
}

interface Issue {
  readonly path: readonly PropertyKey[]
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
    { evidence: { publishedResourceManager: only.resourceManager } },
  )
}

/** Host and port, lower-cased, without a default port and the dot of the root. */
function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { hostname, port } = new URL(url)
  return `${hostname.replace(/\.$/, '')}:${port}`
}
