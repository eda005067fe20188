import { type Answer, empty } from '../http/answer.ts'
import type { EnclaveRequest } from '../http/route.ts'
import { unsupported, type BlobStore, type StoredBlob } from './blob-store.ts'
import { headersOf, propertiesOf, rangeOf, textOf } from './storage-http.ts'

type Operation = (blob: StoredBlob, request: EnclaveRequest, store: BlobStore) => Answer

const metadataPrefix = 'x-ms-meta-'

function metadataOf({ headers }: EnclaveRequest): Record<string, string> {
  const given = Object.entries(headers).filter(([name]) => name.startsWith(metadataPrefix))
  return Object.fromEntries(given.map(([name, value]) => [name.slice(metadataPrefix.length), String(value)]))
}

const readBlob: Operation = (blob, request, store) => {
  const found = blob.existing()
  const { content, properties, metadata, createdAt } = found
  const leased = store.isLeased(found)
  const headers = {
    'content-type': 'application/octet-stream',
    ...properties,
    ...headersOf(found),
    ...Object.fromEntries(Object.entries(metadata).map(([key, value]) => [metadataPrefix + key, value])),
    'accept-ranges': 'bytes',
    'x-ms-blob-type': 'BlockBlob',
    'x-ms-creation-time': new Date(createdAt).toUTCString(),
    'x-ms-lease-status': leased ? 'locked' : 'unlocked',
    'x-ms-lease-state': leased ? 'leased' : 'available',
    'x-ms-server-encrypted': 'true',
  }
  const range = rangeOf(request, content.length)
  if (range === undefined) return { ...empty(200, headers), body: content }
  const [start, end] = range
  const body = content.subarray(start, end + 1)
  return { ...empty(206, { ...headers, 'content-range': `bytes ${start}-${end}/${content.length}` }), body }
}

const readMetadata: Operation = (...each) => ({ ...readBlob(...each), status: 200, body: '' })

/** By method, `restype` and `comp`. */
export const blobOperations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['GET', readBlob],
  ['HEAD', readBlob],
  ['GET metadata', readMetadata],
  ['HEAD metadata', readMetadata],
  [
    'PUT',
    (blob, request) => {
      const type = textOf(request, 'x-ms-blob-type')
      if (type !== 'BlockBlob' || request.headers['x-ms-copy-source'] !== undefined)
        throw unsupported(`${type ?? 'copy'} of a blob`)
      const given = { properties: propertiesOf(request), metadata: metadataOf(request) }
      return empty(201, headersOf(blob.put(request.body, given)))
    },
  ],
  [
    'DELETE',
    (blob) => {
      blob.delete()
      return empty(202)
    },
  ],
  [
    'PUT block',
    (blob, { query, body }) => {
      blob.putBlock(query.get('blockid') ?? '', body)
      return empty(201)
    },
  ],
  [
    'PUT blocklist',
    (blob, request) => {
      const listed = request.body.toString().matchAll(/<(?:Latest|Uncommitted|Committed)>([^<]*)</g)
      const given = { properties: propertiesOf(request, true), metadata: metadataOf(request) }
      return empty(
        201,
        headersOf(
          blob.commit(
            Array.from(listed, ([, id = '']) => id),
            given,
          ),
        ),
      )
    },
  ],
  ['PUT metadata', (blob, request) => empty(200, headersOf(blob.update({ metadata: metadataOf(request) })))],
  [
    'PUT properties',
    (blob, request) => empty(200, headersOf(blob.update({ properties: propertiesOf(request, true) }))),
  ],
  ['PUT lease', changeLease],
])

function changeLease(blob: StoredBlob, request: EnclaveRequest): Answer {
  const action = textOf(request, 'x-ms-lease-action')
  const headers = (more: Record<string, string> = {}) => ({ ...headersOf(blob.existing()), ...more })
  switch (action) {
    case 'acquire': {
      const seconds = Number(textOf(request, 'x-ms-lease-duration') ?? -1)
      const id = blob.acquireLease(seconds, textOf(request, 'x-ms-proposed-lease-id'))
      return empty(201, headers({ 'x-ms-lease-id': id }))
    }
    case 'renew':
      blob.renewLease()
      return empty(200, headers({ 'x-ms-lease-id': textOf(request, 'x-ms-lease-id') ?? '' }))
    case 'release':
      blob.releaseLease()
      return empty(200, headers())
    case 'break':
      blob.breakLease()
      return empty(202, headers({ 'x-ms-lease-time': '0' }))
    default:
      throw unsupported(`lease action ${action}`)
  }
}
