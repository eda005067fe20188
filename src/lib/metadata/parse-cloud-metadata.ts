import { ServiceError } from '../errors.ts'
import { tenantPattern } from '../profile/patterns.ts'
import { showValue } from '../profile/show-value.ts'
import type { CloudMetadata } from './cloud-metadata.ts'
import { MetadataDocument } from './metadata-document.ts'
import { readDnsSuffix, readIdentifier, readUrl, resourceManagerOf } from './metadata-values.ts'
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
  const asked = resourceManagerOf(endpoint)
  const { entry, path } = pickCloud(document, asked)
  const result = MetadataDocument.safeParse(entry)
  if (!result.success) {
    const [issue] = result.error.issues
    throw invalid(
      [path, ...(issue?.path ?? [])],
      issue?.code === 'invalid_type' ? `must be ${issue.expected}` : 'is invalid',
    )
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

  const portal = optionalUrl(cloud, ['portal', 'portalEndpoint'], at)
  const graph = optionalUrl(cloud, ['graph', 'graphEndpoint'], at)
  const gallery = optionalUrl(cloud, ['gallery', 'galleryEndpoint'], at)
  const suffixes = readSuffixes(cloud, at)
  return {
    resourceManagerEndpoint: cloud.resourceManager === undefined ? asked : resourceManagerOf(cloud.resourceManager),
    loginEndpoint: readUrl(loginEndpoint, at('authentication.loginEndpoint'), { https: true, base: true }),
    audiences: [audience, ...others],
    ...(tenant === undefined ? {} : { tenant }),
    ...(portal === undefined ? {} : { portalEndpoint: portal }),
    ...(graph === undefined ? {} : { graphEndpoint: graph }),
    ...(gallery === undefined ? {} : { galleryEndpoint: gallery }),
    ...(Object.keys(suffixes).length === 0 ? {} : { dnsSuffixes: suffixes }),
  }
}

type AddressField = 'portal' | 'portalEndpoint' | 'graph' | 'graphEndpoint' | 'gallery' | 'galleryEndpoint'

function optionalUrl(
  cloud: MetadataDocument,
  fields: readonly AddressField[],
  at: (field: string) => string,
): string | undefined {
  for (const field of fields) {
    const value = cloud[field]
    if (value !== undefined) return readUrl(value, at(field))
  }
  return undefined
}

const suffixFields = {
  storage: 'storage',
  keyVault: 'keyVaultDns',
  sqlServer: 'sqlServerHostname',
  containerRegistry: 'acrLoginServer',
} as const

function readSuffixes(cloud: MetadataDocument, at: (field: string) => string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(suffixFields).flatMap(([service, field]) => {
      const value = cloud.suffixes?.[field]
      return value === undefined ? [] : [[service, readDnsSuffix(value, at(`suffixes.${field}`))]]
    }),
  )
}

function invalid(path: readonly PropertyKey[], problem: string): ServiceError {
  const field = path.filter((key) => key !== '').join('.')
  return new ServiceError('METADATA_INVALID', `The metadata document's ${field === '' ? 'content' : field} ${problem}`)
}
