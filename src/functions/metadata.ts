import type { AppResponse } from '../lib/base/app.ts'
import { loadOnce } from '../lib/base/waiting.ts'
import type { MetadataVersion } from '../lib/metadata/write-metadata.ts'
import { metadataPath } from '../lib/profile/endpoints.ts'
import { placeholderFields } from '../lib/profile/field-path.ts'
import type { Service } from '../lib/service/service.ts'
import {
  httpFunction,
  ifNoneMatch,
  ifNoneMatchParameter,
  notModified,
  privateHeaders,
  problem,
  type DescribedFunction,
  type Operation,
} from './http-function.ts'

/** Clients may cache the document, because the profile is fixed for the life of the process. */
const cacheControl = 'public, max-age=300'

const loadParts = loadOnce(() => Promise.all([import('node:crypto'), import('../lib/metadata/write-metadata.ts')]))

const openApi: Operation = {
  summary: 'The profile as the metadata document of a resource manager, if PLATFORM_SERVE_METADATA=true',
  parameters: [
    {
      name: 'api-version',
      in: 'query',
      required: true,
      description: 'For an unknown version, the response has the newest version before it.',
      schema: { type: 'string', pattern: String.raw`\S`, examples: ['2015-01-01', '2018-01-01', '2022-09-01'] },
    },
    ifNoneMatchParameter,
  ],
  responses: {
    200: {
      description: 'The document.',
      types: ['application/json'],
      schema: 'PublishedMetadata',
      headers: { etag: 'Changes with the content.', 'x-metadata-version': 'The version of the document.' },
    },
    304: notModified,
    400: {
      description: 'The api-version is missing. The body is empty if the target or host of the request is invalid.',
      types: ['application/problem+json'],
      schema: 'ProblemDetails',
    },
    409: {
      description: 'The profile has placeholders, named in `fields`.',
      types: ['application/problem+json'],
      schema: 'ProblemDetails',
    },
  },
}

/**
 * GET `/metadata/endpoints`: the profile as the metadata document of a resource manager, for tools that can't be configured in another way.
 * Anonymous, because tools request it before they sign in. A cloud publishes the same values.
 */
export function metadataFunction({ cloud: { profile } }: Service): DescribedFunction {
  const documents = new Map<MetadataVersion, AppResponse>()
  return httpFunction({
    name: 'metadata',
    path: metadataPath,
    authLevel: 'anonymous',
    openApi,
    async handle(request) {
      const [{ createHash }, { metadataVersions, nearestVersion, writeMetadata }] = await loadParts()
      const requested = request.query['api-version'] ?? ''
      if (requested.trim() === '') {
        const detail = `Add the query parameter api-version: ${metadataVersions.join(', ')}.`
        return problem(400, 'ARGUMENT_INVALID', 'The api-version is missing', { detail })
      }
      const fields = placeholderFields(profile)
      // A tool would use a placeholder as an address.
      if (fields.length > 0) {
        const detail = `Replace these placeholders in a custom profile or by variables: ${fields.join(', ')}.`
        return problem(409, 'PLACEHOLDER_PROFILE', 'The profile still has placeholders', { detail, fields })
      }
      const { version, exact } = nearestVersion(requested)
      let document = documents.get(version)
      if (document === undefined) {
        const body = JSON.stringify(writeMetadata(profile, version))
        const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
        const headers = { ...privateHeaders, 'cache-control': cacheControl, etag, 'x-metadata-version': version }
        document = { status: 200, headers: { ...headers, 'content-type': 'application/json' }, body }
        documents.set(version, document)
      }
      if (exact) return ifNoneMatch(request, document)
      const warning = `299 - "This api-version is unknown; the document has version ${version}"`
      return ifNoneMatch(request, { ...document, headers: { ...document.headers, warning } })
    },
  })
}
