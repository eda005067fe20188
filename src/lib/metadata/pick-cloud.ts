import { ServiceError } from '../errors.ts'
import { showValue } from '../base/show-value.ts'
import { ListedCloud } from './metadata-document.ts'

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
export function pickCloud(document: unknown, resourceManagerEndpoint: string): PickedCloud {
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
  )
}

/** Host and port, lower-cased, without a default port and the dot of the root. */
function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { hostname, port } = new URL(url)
  return `${hostname.replace(/\.$/, '')}:${port}`
}
