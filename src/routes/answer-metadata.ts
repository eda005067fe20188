import { createHash } from 'node:crypto'
import {
  metadataVersions,
  nearestVersion,
  writeMetadata,
  type MetadataVersion,
} from '../lib/metadata/write-metadata.ts'
import type { CloudProfile } from '../lib/profile/cloud-profile.ts'
import { placeholderFields } from '../lib/profile/placeholders.ts'
import { privateHeaders, problem } from './guard-route.ts'
import { ifNoneMatch } from './if-none-match.ts'
import type { RouteAnswer, RouteRequest } from './route.ts'

/** How long a client may keep the document: the profile is fixed for the life of the process. */
const cacheControl = 'public, max-age=300'

/** The documents of each profile, by version. A process has one profile. */
const answers = new WeakMap<CloudProfile, Map<MetadataVersion, RouteAnswer>>()

/** The metadata document of a profile in the version that a request asks for. */
export function answerMetadata(request: RouteRequest, profile: CloudProfile): RouteAnswer {
  const asked = request.query['api-version'] ?? ''
  const refused = refuse(profile, asked)
  if (refused !== undefined) return refused
  const { version, exact } = nearestVersion(asked)
  const known = answers.get(profile) ?? new Map<MetadataVersion, RouteAnswer>()
  answers.set(profile, known)
  const answer = known.get(version) ?? createAnswer(profile, version)
  known.set(version, answer)
  return ifNoneMatch(request, exact ? answer : withWarning(answer, version))
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

function createAnswer(profile: CloudProfile, version: MetadataVersion): RouteAnswer {
  const body = JSON.stringify(writeMetadata(profile, version))
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = { ...privateHeaders, 'cache-control': cacheControl, etag, 'x-metadata-version': version }
  return { status: 200, headers: { ...headers, 'content-type': 'application/json' }, body }
}

function withWarning(answer: RouteAnswer, version: MetadataVersion): RouteAnswer {
  const warning = `299 - "This api-version is unknown; the document is that of ${version}"`
  return { ...answer, headers: { ...answer.headers, warning } }
}
