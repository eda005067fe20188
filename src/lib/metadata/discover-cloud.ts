import { type Evidence, type NetworkFault, ServiceError, isServiceError } from '../errors.ts'
import { type AbortSignalLike, toAbortSignal } from '../base/waiting.ts'
import { isCutJson, parseJson, ownCopy } from '../base/json.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'
import { metadataEndpointUrl, metadataUrl } from '../profile/endpoints.ts'
import { isPlaceholder } from '../profile/field-path.ts'
import type { Env } from '../base/variables.ts'
import type { Attempt } from '../transport/attempt.ts'
import { NetworkError } from '../transport/network-error.ts'
import { allowedAudience, type CloudMetadata, mergeMetadata } from './cloud-metadata.ts'
import { parseCloudMetadata, parseWholeMetadata } from './parse-cloud-metadata.ts'

export interface DiscoverOptions {
  /** Ends the query early. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignalLike | undefined
  /** Milliseconds for the whole query, including a retry. Default is 5000. */
  readonly timeoutMs?: number | undefined
  /** The variables that may name a proxy and certificate authorities. */
  readonly env?: Env | undefined
}

/** With the token attempt that needs the result. */
type RequestOptions = DiscoverOptions & { readonly attempt?: Attempt | undefined }

/** Reads the metadata of a cloud by GET requests without authentication: the first version, and newer ones only if the cloud refuses that. */
export async function discoverProfile(
  from: CloudProfile | string,
  options: RequestOptions = {},
): Promise<CloudMetadata> {
  const { documents } = await requestVersions(from, options, parseCloudMetadata, 1)
  return documents[0]
}

/** The audience in the metadata of a profile's cloud. @throws {ServiceError} as {@link discoverProfile} and {@link allowedAudience}. */
export async function discoverAudience(profile: CloudProfile, options: RequestOptions): Promise<string> {
  return allowedAudience(profile, await discoverProfile(profile, options))
}

/** As {@link discoverProfile}, merged with a newer version of the document: 2022-09-01, or 2019-05-01 if the cloud refuses that. */
export async function discoverWholeCloud(from: CloudProfile | string, options: DiscoverOptions = {}) {
  const { documents, warnings } = await requestVersions(from, options, parseWholeMetadata, 2)
  const [metadata, newer] = documents
  if (newer === undefined) return { metadata, warnings }
  const merged = mergeMetadata(metadata, newer)
  return { metadata: merged.metadata, warnings: [...warnings, ...merged.warnings] }
}

/** The first version, then the newer ones. Every cloud has one of the first two, or only the last. */
const versions = ['2015-01-01', '2022-09-01', '2019-05-01'] as const

/**
 * Requests the versions in their order, until `most` documents or one of a newer version are valid. All requests share one time limit.
 * @throws {ServiceError} if no version is usable. The error of an invalid document says more than a refused version, and names the version.
 */
async function requestVersions<T>(
  from: CloudProfile | string,
  given: RequestOptions,
  parse: (document: unknown, endpoint: string, version: string) => T,
  most: 1 | 2,
): Promise<{ readonly documents: readonly [T, ...T[]]; readonly warnings: readonly string[] }> {
  const options = ownCopy(given)
  const deadline = AbortSignal.timeout(options.timeoutMs ?? 5000)
  const documents: T[] = []
  const failures: ServiceError[] = []
  for (const version of versions) {
    try {
      const url = urlOf(from, version)
      const document = readMetadataText(await getText(url, options, deadline), url.host)
      documents.push(parse(document, typeof from === 'string' ? from : from.resourceManagerEndpoint, version))
      if (documents.length === most || version !== versions[0]) break
    } catch (error) {
      // An unreachable cloud gets no second request. One that refuses the first version may know a newer one.
      if (!isServiceError(error) || (version === versions[0] && !responses.has(error.code))) throw error
      const { code, message, evidence } = error
      failures.push(
        documentErrors.has(code)
          ? new ServiceError(code, `${message} (metadata version ${version})`, { evidence })
          : error,
      )
    }
  }
  const [first, ...others] = documents
  if (first === undefined) throw failures.find(({ code }) => documentErrors.has(code)) ?? failures[0]
  const warnings = failures.filter(({ code }) => !refusals.has(code)).map(({ message }) => message)
  return { documents: [first, ...others], warnings }
}

/** The codes of responses which mean that the cloud doesn't support the version. */
const refusals: ReadonlySet<string> = new Set(['METADATA_NOT_FOUND', 'METADATA_HTTP_ERROR'])

const documentErrors: ReadonlySet<string> = new Set(['METADATA_INVALID', 'METADATA_CLOUD_NOT_LISTED'])

/** A server that responded may respond to another version too. */
const responses: ReadonlySet<string> = new Set([...refusals, ...documentErrors, 'METADATA_RESPONSE_INVALID'])

function urlOf(from: CloudProfile | string, version: string): URL {
  const query = typeof from === 'string' ? metadataUrl(from) : queryOf(from)
  // The version is the last parameter; the rest of the query stays unchanged.
  const url = new URL(query.replace(/api-version=[\d-]+$/, `api-version=${version}`))
  if (!isPlaceholder(url.href)) return url
  const message = `The metadata endpoint ${url.host} is a placeholder: ask the cloud operator for the address`
  throw new ServiceError('PLACEHOLDER_PROFILE', message)
}

function queryOf({ name, metadataEndpoint }: CloudProfile): string {
  if (metadataEndpoint !== undefined) return metadataEndpointUrl(metadataEndpoint)
  const message = `The metadata endpoint is not configured: the cloud profile ${JSON.stringify(name)} has no metadataEndpoint`
  throw new ServiceError('METADATA_NOT_CONFIGURED', message)
}

async function getText(url: URL, options: RequestOptions, deadline: AbortSignal): Promise<string> {
  const { signal: given, timeoutMs = 5000, env = {}, attempt } = options
  const signal = given && toAbortSignal(given)
  signal?.throwIfAborted()
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
    if (!deadline.aborted || !(error instanceof Error) || !/^(Abort|Timeout)Error$/.test(error.name)) throw error
    const evidence = { host: url.host }
    throw new NetworkError('METADATA', 'TIMEOUT', `${url.host} did not respond in time`, { cause: error, evidence })
  }
}

/** A resource manager needs no sign-in for this query and returns 200. So another status usually comes from another server. */
function refusal(status: number, { host, pathname }: URL): NetworkError {
  const refuse = (fault: NetworkFault, text: string, path?: string) =>
    new NetworkError('METADATA', fault, `${host} returned ${status} ${text}`, {
      evidence: { status: String(status), host, path },
    })
  if (status === 404 || status === 410)
    return refuse('NOT_FOUND', `for ${pathname}: it isn't a resource manager, or has no metadata`, pathname)
  if (status === 429) return refuse('THROTTLED', 'to the metadata query: too many requests')
  const needsSignIn = status === 401 || status === 403
  const hint = needsSignIn ? ': metadata needs no sign-in, so a gateway or proxy responds in its place' : ''
  return refuse('HTTP_ERROR', `to the metadata query${hint}`)
}

/** Parses the body of a metadata response. The error distinguishes a page, another encoding and a cut document, and quotes nothing. */
export function readMetadataText(text: string, host: string): unknown {
  const invalid = (problem: string, more: Evidence = {}) =>
    new NetworkError('METADATA', 'RESPONSE_INVALID', `${host} responded to the metadata query with ${problem}`, {
      evidence: { host, ...more },
    })

  if (text.includes('\0')) throw invalid('text that is not UTF-8 (it looks like UTF-16)')
  if (text.includes('\u{fffd}')) throw invalid('text that is not UTF-8')
  // Trims a byte order mark too.
  const body = text.trim()
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
