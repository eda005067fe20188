import type { CloudService } from '../clouds/services-of.ts'
import { ServiceError } from '../errors.ts'
import { tenantPattern } from '../profile/field-rules.ts'
import { showValue } from '../base/show-value.ts'
import { isPlaceholder } from '../profile/placeholders.ts'
import type { CloudMetadata, WholeCloudMetadata } from './cloud-metadata.ts'
import { MetadataDocument } from './metadata-document.ts'
import { addressNames, serviceAddresses, serviceRows, serviceSuffixRows, suffixNames } from './metadata-names.ts'
import { isDnsSuffix, readDnsSuffix, readIdentifier, readUrl, resourceManagerOf } from './metadata-values.ts'
import { pickCloud } from './pick-cloud.ts'

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
