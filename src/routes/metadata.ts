import type { HttpRequest, HttpResponseInit } from '@azure/functions'
import {
  metadataVersions,
  nearestVersion,
  writeMetadata,
  type MetadataVersion,
} from '../lib/metadata/write-metadata.ts'
import type { CloudProfile } from '../lib/profile/cloud-profile.ts'
import { metadataPath } from '../lib/profile/endpoints.ts'
import { placeholderFields } from '../lib/profile/placeholders.ts'
import { guarded, json, privateHeaders, type ServiceRef } from './answer.ts'
import { registerRoute } from '../functions/register.ts'

/** How long a client may keep the document: the profile is fixed for the life of the process. */
const cacheControl = 'public, max-age=300'

/** A document as it is sent, with its tag. */
interface MetadataAnswer {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * GET `/metadata/endpoints`: the profile as the metadata document of a resource manager, for tools that learn about a
 * cloud in no other way. Open to all, because they ask before anybody has signed in; it holds nothing that a caller of
 * the login authority would not learn.
 */
export function registerMetadata(service: ServiceRef): void {
  const answers = new Map<MetadataVersion, MetadataAnswer>()
  registerRoute(
    'metadata',
    { route: metadataPath, authLevel: 'anonymous' },
    guarded(async (request) => {
      const asked = request.query.get('api-version') ?? ''
      const { profile } = service().cloud
      const problem = problemOf(profile, asked)
      if (problem !== undefined) return problem
      const { version, exact } = nearestVersion(asked)
      let answer = answers.get(version)
      if (answer === undefined) answers.set(version, (answer = await createAnswer(profile, version)))
      return ifNoneMatch(request, exact ? answer : withWarning(answer, version))
    }),
  )
}

function problemOf(profile: CloudProfile, asked: string): HttpResponseInit | undefined {
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

function problem(status: number, code: string, title: string, more: object): HttpResponseInit {
  return { ...json({ type: 'about:blank', title, status, code, ...more }, 'application/problem+json'), status }
}

async function createAnswer(profile: CloudProfile, version: MetadataVersion): Promise<MetadataAnswer> {
  // No cold start waits for it.
  const { createHash } = await import('node:crypto')
  const body = JSON.stringify(writeMetadata(profile, version))
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { body, headers: { ...privateHeaders, 'cache-control': cacheControl, etag, 'x-metadata-version': version } }
}

function withWarning({ body, headers }: MetadataAnswer, version: MetadataVersion): MetadataAnswer {
  const warning = `299 - "This api-version is unknown; the document is that of ${version}"`
  return { body, headers: { ...headers, warning } }
}

/** Weak and strong tags name the same document here. */
function ifNoneMatch(request: HttpRequest, { body, headers }: MetadataAnswer): HttpResponseInit {
  const tags = (request.headers.get('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  const isKnown = tags.some((tag) => tag === '*' || tag === headers['etag'])
  return isKnown ? { status: 304, headers } : { body, headers: { ...headers, 'content-type': 'application/json' } }
}
