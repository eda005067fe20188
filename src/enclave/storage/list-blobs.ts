import { type Answer, elements, escapeMarkup, xml } from '../http/answer.ts'
import type { EnclaveRequest } from '../http/route.ts'
import type { Blob, BlobStore } from './blob-store.ts'

const pageSize = 5000
const dateOf = (time: number) => new Date(time).toUTCString()

/** The containers of the account. */
export function listContainers({ query }: EnclaveRequest, origin: string, store: BlobStore): Answer {
  const names = [...store.containers.keys()].sort().filter((name) => name.startsWith(query.get('prefix') ?? ''))
  const rows = names.map((name) => {
    const { modifiedAt, etag } = store.container(name)
    const properties = elements({ 'Last-Modified': dateOf(modifiedAt), Etag: etag })
    return `<Container>${elements({ Name: name })}<Properties>${properties}</Properties></Container>`
  })
  return xml(
    200,
    `<EnumerationResults ServiceEndpoint="${origin}/"><Containers>${rows.join('')}</Containers><NextMarker /></EnumerationResults>`,
  )
}

/** One page of the blobs of a container, with `prefix`, `delimiter`, `marker` and `maxresults`. */
export function listBlobs({ query }: EnclaveRequest, origin: string, name: string, store: BlobStore): Answer {
  const [prefix = '', delimiter = '', marker = ''] = ['prefix', 'delimiter', 'marker'].map(
    (key) => query.get(key) ?? '',
  )
  const size = Math.min(pageSize, Math.max(1, Number(query.get('maxresults') ?? pageSize) || pageSize))
  const includesMetadata = (query.get('include') ?? '').split(',').includes('metadata')
  const { blobs } = store.container(name)
  /** Names below the delimiter count as one prefix. */
  const entries = new Map<string, Blob | undefined>()
  for (const path of [...blobs.keys()].sort()) {
    if (!path.startsWith(prefix)) continue
    const end = delimiter === '' ? -1 : path.indexOf(delimiter, prefix.length)
    if (end < 0) entries.set(path, blobs.get(path))
    else entries.set(path.slice(0, end + delimiter.length), undefined)
  }
  const after = [...entries].filter(([path]) => path >= marker)
  const rows = after
    .slice(0, size)
    .map(([path, blob]) =>
      blob === undefined
        ? `<BlobPrefix>${elements({ Name: path })}</BlobPrefix>`
        : `<Blob>${elements({ Name: path })}${describe(blob, store)}${includesMetadata ? metadataOf(blob) : ''}</Blob>`,
    )
  const parts = [
    `<EnumerationResults ServiceEndpoint="${origin}/" ContainerName="${escapeMarkup(name)}">`,
    elements({ Prefix: prefix, ...(delimiter !== '' && { Delimiter: delimiter }) }),
    `<Blobs>${rows.join('')}</Blobs>`,
    elements({ NextMarker: after[size]?.[0] ?? '' }),
    '</EnumerationResults>',
  ]
  return xml(200, parts.join(''))
}

function describe(blob: Blob, store: BlobStore): string {
  const leased = store.isLeased(blob)
  const rows = {
    'Creation-Time': dateOf(blob.createdAt),
    'Last-Modified': dateOf(blob.modifiedAt),
    Etag: blob.etag,
    'Content-Length': String(blob.content.length),
    'Content-Type': blob.properties['content-type'] ?? 'application/octet-stream',
    'Content-MD5': blob.properties['content-md5'] ?? '',
    BlobType: 'BlockBlob',
    LeaseStatus: leased ? 'locked' : 'unlocked',
    LeaseState: leased ? 'leased' : 'available',
  }
  return `<Properties>${elements(rows)}</Properties>`
}

function metadataOf({ metadata }: Blob): string {
  const rows = Object.entries(metadata).filter(([key]) => /^[A-Za-z_]\w*$/.test(key))
  return `<Metadata>${elements(Object.fromEntries(rows))}</Metadata>`
}
