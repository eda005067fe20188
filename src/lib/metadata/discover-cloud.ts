import { type Evidence, ServiceError, isServiceError } from '../errors.ts'
import { type AbortSignalLike, toAbortSignal } from '../base/waiting.ts'
import { isCutJson, parseJson } from '../base/json.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'
import { metadataEndpointUrl, metadataUrl } from '../profile/endpoints.ts'
import { isPlaceholder } from '../profile/field-path.ts'
import type { Env } from '../base/variables.ts'
import type { Attempt } from '../transport/attempt.ts'
import { NetworkError } from '../transport/network-error.ts'
import { allowedAudience, type CloudMetadata, type MergedMetadata, mergeMetadata } from './cloud-metadata.ts'
import { parseCloudMetadata, parseWholeMetadata } from './parse-cloud-metadata.ts'

export interface DiscoverOptions {
  /** Ends the query early. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignalLike | undefined
  /** Milliseconds for the whole query, including a retry. Default is 5000. */
  readonly timeoutMs?: number | undefined
  /** The variables that may name a proxy and certificate authorities. */
  readonly env?: Env | undefined
}

interface AttemptOption {
  /** The token attempt that needs the result. */
  readonly attempt?: Attempt | undefined
}

/**
 * Reads the metadata of a cloud from its resource manager, with one GET request without authentication.
 *
 * @param from A resource manager or metadata endpoint, or a profile. The metadata must describe the resourceManagerEndpoint of the profile.
 * @throws {ServiceError} `METADATA_NOT_CONFIGURED`, `PLACEHOLDER_PROFILE`, `METADATA_INVALID`, `METADATA_CLOUD_NOT_LISTED`, or a network
 *   failure such as `METADATA_UNTRUSTED`.
 */
export async function discoverProfile(
  from: CloudProfile | string,
  options: DiscoverOptions & AttemptOption = {},
): Promise<CloudMetadata> {
  const { document, endpoint } = await requestDocument(from, options)
  return parseCloudMetadata(document, endpoint)
}

/** The audience in the metadata of a profile's cloud. @throws {ServiceError} as {@link discoverProfile} and {@link allowedAudience}. */
export async function discoverAudience(
  profile: CloudProfile,
  options: DiscoverOptions & AttemptOption,
): Promise<string> {
  return allowedAudience(profile, await discoverProfile(profile, options))
}

/**
 * As {@link discoverProfile}, with the values of a newer version of the document: 2022-09-01, or 2019-05-01 if the cloud refuses that. If the
 * cloud has both the first and a newer version, {@link mergeMetadata} merges them.
 *
 * @throws {ServiceError} as {@link discoverProfile}, if the cloud has no usable version.
 */
export async function discoverWholeCloud(
  from: CloudProfile | string,
  options: DiscoverOptions = {},
): Promise<MergedMetadata> {
  const [first] = await Promise.allSettled([requestWhole(from, options)])
  // A cloud that refuses the first version may know a newer one. An unreachable cloud gets no second request.
  if (first.status === 'rejected' && !isRefusal(first.reason)) throw first.reason
  const warnings: string[] = []
  for (const version of newerVersions) {
    const [newer] = await Promise.allSettled([requestWhole(from, options, version)])
    if (newer.status === 'fulfilled') {
      return first.status === 'rejected'
        ? { metadata: newer.value, warnings }
        : mergeMetadata(first.value, newer.value, version, warnings)
    }
    if (isRefusal(newer.reason)) continue
    if (first.status === 'rejected' || !isServiceError(newer.reason)) throw newer.reason
    warnings.push(`Metadata version ${version} gave no valid response: ${newer.reason.message}`)
  }
  if (first.status === 'rejected') throw first.reason
  return { metadata: first.value, warnings }
}

/** Newest first. */
const newerVersions = ['2022-09-01', '2019-05-01']

async function requestWhole(from: CloudProfile | string, options: DiscoverOptions, version?: string) {
  const { document, endpoint } = await requestDocument(from, options, version)
  return parseWholeMetadata(document, endpoint)
}

/** The codes of responses which mean that the cloud doesn't support the version. */
const refusals: ReadonlySet<string> = new Set([
  'METADATA_NOT_FOUND',
  'METADATA_HTTP_ERROR',
  'METADATA_INVALID',
  'METADATA_CLOUD_NOT_LISTED',
])

function isRefusal(error: unknown): boolean {
  return isServiceError(error) && refusals.has(error.code)
}

/** Returns the document and the resource manager that it must describe. */
async function requestDocument(
  from: CloudProfile | string,
  options: DiscoverOptions & AttemptOption,
  version?: string,
) {
  const query = typeof from === 'string' ? metadataUrl(from) : queryOf(from)
  // The version is the last parameter; the rest of the query stays unchanged.
  const url = new URL(version === undefined ? query : query.replace(/api-version=[\d-]+$/, `api-version=${version}`))
  if (isPlaceholder(url.href)) {
    const message = `The metadata endpoint ${url.host} is a placeholder: ask the cloud operator for the address`
    throw new ServiceError('PLACEHOLDER_PROFILE', message)
  }
  const endpoint = typeof from === 'string' ? from : from.resourceManagerEndpoint
  return { document: readMetadataText(await getText(url, options), url.host), endpoint }
}

function queryOf({ name, metadataEndpoint }: CloudProfile): string {
  if (metadataEndpoint !== undefined) return metadataEndpointUrl(metadataEndpoint)
  throw new ServiceError(
    'METADATA_NOT_CONFIGURED',
    `The metadata endpoint is not configured: the cloud profile ${JSON.stringify(name)} has no metadataEndpoint`,
  )
}

async function getText(
  url: URL,
  { signal: given, timeoutMs = 5000, env = {}, attempt }: DiscoverOptions & AttemptOption,
): Promise<string> {
  const signal = given && toAbortSignal(given)
  signal?.throwIfAborted()
  const deadline = AbortSignal.timeout(timeoutMs)
  // Loaded on demand, because parsing, explaining and exporting a profile need no HTTP pipeline.
  const { getDocument } = await import('../transport/guarded-client.ts')
  try {
    const { status, text } = await getDocument(url.href, {
      role: 'METADATA',
      requestTimeoutMs: timeoutMs,
      proxies: env,
      env,
      attempt,
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    })
    if (status === 200) return text
    throw refusal(status, url)
  } catch (error) {
    signal?.throwIfAborted()
    // If the deadline passes during the wait before a retry, the error is Node's AbortError.
    if (deadline.aborted && error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name)) {
      throw new NetworkError('METADATA', 'TIMEOUT', `${url.host} did not respond in time`, {
        cause: error,
        evidence: { host: url.host },
      })
    }
    throw error
  }
}

/** A resource manager needs no sign-in for this query and returns 200. So another status usually comes from another server. */
function refusal(status: number, { host, pathname }: URL): NetworkError {
  const failure = (fault: 'NOT_FOUND' | 'THROTTLED' | 'HTTP_ERROR', text: string, path?: string) =>
    new NetworkError('METADATA', fault, `${host} returned ${status} ${text}`, {
      evidence: { status: String(status), host, path },
    })
  if (status === 404 || status === 410) {
    return failure('NOT_FOUND', `for ${pathname}: it isn't a resource manager, or has no metadata`, pathname)
  }
  const needsSignIn = status === 401 || status === 403 || status === 407
  const hint = needsSignIn ? ': metadata needs no sign-in, so a gateway or proxy responds in its place' : ''
  return status === 429
    ? failure('THROTTLED', 'to the metadata query: too many requests')
    : failure('HTTP_ERROR', `to the metadata query${hint}`)
}

/**
 * Parses the body of a metadata response.
 *
 * @param text The body, decoded as UTF-8 with replacement characters.
 * @param host For the message.
 * @throws {NetworkError} `METADATA_RESPONSE_INVALID`. The message distinguishes a page, another encoding and a cut document, and quotes nothing.
 */
export function readMetadataText(text: string, host: string): unknown {
  const invalid = (problem: string, more: Evidence = {}) =>
    new NetworkError('METADATA', 'RESPONSE_INVALID', `${host} responded to the metadata query with ${problem}`, {
      evidence: { host, ...more },
    })

  if (text.includes('\0')) throw invalid('text that is not UTF-8 (it looks like UTF-16)')
  if (text.includes('\u{fffd}')) throw invalid('text that is not UTF-8')
  const body = text.replace(/^\u{feff}/u, '').trim()
  if (body === '') throw invalid('an empty body')
  if (body.startsWith('<')) {
    throw invalid('a page of HTML or XML instead of JSON: a proxy, a portal or a sign-in page responded in its place')
  }
  const document = parseJson(body)
  if (document !== undefined) return document
  if (!isCutJson(body)) throw invalid('something that is not JSON')
  const receivedBytes = String(Buffer.byteLength(text))
  throw invalid(`a document that breaks off before its end, after ${receivedBytes} bytes`, { receivedBytes })
}
