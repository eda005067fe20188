import { ServiceError } from '../errors.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { metadataUrl } from '../profile/endpoints.ts'
import { isPlaceholder } from '../profile/placeholders.ts'
import { NetworkError } from '../transport/network-error.ts'
import type { CloudMetadata } from './cloud-metadata.ts'
import { parseCloudMetadata } from './parse-cloud-metadata.ts'
import { readMetadataText } from './read-metadata-text.ts'

export interface DiscoverOptions {
  /** Ends the query early. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Milliseconds for the whole query, a retry included. Default is 5000. */
  readonly timeoutMs?: number
}

/**
 * Asks a cloud's resource manager what cloud this is: one GET without authentication, without redirects, of at most
 * 1 MiB. A failure is an error, never a default.
 *
 * @param from A resource manager or metadata endpoint; or a profile, whose metadataEndpoint is asked about its
 *   resourceManagerEndpoint.
 * @throws {ServiceError} `METADATA_NOT_CONFIGURED`, `PLACEHOLDER_PROFILE`, `METADATA_INVALID`,
 *   `METADATA_CLOUD_NOT_LISTED`, or a network failure such as `METADATA_UNTRUSTED`.
 */
export async function discoverCloud(
  from: CloudProfile | string,
  options: DiscoverOptions = {},
): Promise<CloudMetadata> {
  const { ask, about } = typeof from === 'string' ? { ask: from, about: from } : endpointsOf(from)
  const url = new URL(metadataUrl(ask))
  if (isPlaceholder(url.href)) {
    throw new ServiceError(
      'PLACEHOLDER_PROFILE',
      `The metadata endpoint ${url.host} is a placeholder; the cloud operator gives out the real one`,
    )
  }
  return parseCloudMetadata(readMetadataText(await getText(url, options), url.host), about)
}

function endpointsOf({ name, metadataEndpoint, resourceManagerEndpoint }: CloudProfile) {
  if (metadataEndpoint !== undefined) return { ask: metadataEndpoint, about: resourceManagerEndpoint }
  throw new ServiceError(
    'METADATA_NOT_CONFIGURED',
    `The metadata endpoint is not configured: the cloud profile ${JSON.stringify(name)} has no metadataEndpoint`,
  )
}

async function getText(url: URL, { signal, timeoutMs = 5000 }: DiscoverOptions): Promise<string> {
  signal?.throwIfAborted()
  const deadline = AbortSignal.timeout(timeoutMs)
  // The HTTP pipeline is loaded when it is needed: a profile can be parsed, explained and exported without it.
  const { getDocument } = await import('../transport/get-document.ts')
  try {
    const { status, text } = await getDocument(url.href, {
      role: 'METADATA',
      timeoutMs,
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    })
    if (status === 200) return text
    throw refusal(status, url)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof DOMException && deadline.aborted) {
      throw new NetworkError('METADATA', 'TIMEOUT', `${url.host} did not answer in time`, { cause: error })
    }
    throw error
  }
}

/** A resource manager answers this query with 200 and without a sign-in, so any other status tells who answers instead. */
function refusal(status: number, { host, pathname }: URL): NetworkError {
  if (status === 404 || status === 410) {
    const hint = 'it is no resource manager, or offers no metadata'
    return new NetworkError('METADATA', 'NOT_FOUND', `${host} answers ${status} for ${pathname}: ${hint}`)
  }
  if (status === 429) return new NetworkError('METADATA', 'THROTTLED', `${host} answers 429: too many requests`)
  const asksToSignIn = status === 401 || status === 403 || status === 407
  const hint = asksToSignIn ? ': metadata needs no sign-in, so a gateway or proxy answers in its place' : ''
  return new NetworkError('METADATA', 'HTTP_ERROR', `${host} answers ${status} to the metadata query${hint}`)
}
