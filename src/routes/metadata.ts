import {
  metadataVersions,
  nearestVersion,
  writeMetadata,
  type MetadataVersion,
} from '../lib/metadata/write-metadata.ts'
import type { CloudProfile } from '../lib/profile/cloud-profile.ts'
import { metadataPath } from '../lib/profile/endpoints.ts'
import { placeholderFields } from '../lib/profile/placeholders.ts'
import type { Service } from '../lib/service/service.ts'
import { guardRoute, privateHeaders, problem } from './guard-route.ts'
import { ifNoneMatch } from './if-none-match.ts'
import type { Route, RouteAnswer } from './route.ts'

/** How long a client may keep the document: the profile is fixed for the life of the process. */
const cacheControl = 'public, max-age=300'

/**
 * GET `/metadata/endpoints`: the profile as the metadata document of a resource manager, for tools that learn about a
 * cloud in no other way. Open to all, because they ask before anybody has signed in; it holds nothing that a caller of
 * the login authority would not learn.
 */
export function metadataRoute(service: Service): Route {
  const answers = new Map<MetadataVersion, RouteAnswer>()
  return guardRoute({
    name: 'metadata',
    path: metadataPath,
    authLevel: 'anonymous',
    async handle(request) {
      const asked = request.query['api-version'] ?? ''
      const { profile } = service.cloud
      const refused = refuse(profile, asked)
      if (refused !== undefined) return refused
      const { version, exact } = nearestVersion(asked)
      let answer = answers.get(version)
      if (answer === undefined) answers.set(version, (answer = await createAnswer(profile, version)))
      return ifNoneMatch(request, exact ? answer : withWarning(answer, version))
    },
  })
}

function refuse(profile: CloudProfile, asked: string): RouteAnswer | undefined {
  if (asked.trim() === '') {
    const detail = `Add the query api-version, one of ${metadataVersions.join(', ')}.`
    return problem(400, 'ARGUMENT_INVALID', 'The api-version is missing', { detail })
  }
  const fields = placeholderFields(profile)
  if (fields.length === 0) return undefined
  // A placeholder that looks like an address of this cloud would be taken for one.
  return problem(409, 'PLACEHOLDER_PROFILE', 'The profile still has placeholders', {
    detail: `Replace them first, in a custom profile or by variables: ${fields.join(', ')}.`,
    fields,
  })
}

async function createAnswer(profile: CloudProfile, version: MetadataVersion): Promise<RouteAnswer> {
  // No cold start waits for it.
  const { createHash } = await import('node:crypto')
  const body = JSON.stringify(writeMetadata(profile, version))
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = { ...privateHeaders, 'cache-control': cacheControl, etag, 'x-metadata-version': version }
  return { status: 200, headers: { ...headers, 'content-type': 'application/json' }, body }
}

function withWarning(answer: RouteAnswer, version: MetadataVersion): RouteAnswer {
  const warning = `299 - "This api-version is unknown; the document is that of ${version}"`
  return { ...answer, headers: { ...answer.headers, warning } }
}
