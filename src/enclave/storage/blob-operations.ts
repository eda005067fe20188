import type { Answer, EnclaveRequest } from '../http/route.ts'
import type { BlobStore } from './blob-store.ts'
import { empty, headersOf, unsupported, metadataOf, propertiesOf, rangeOf, textOf } from './storage-http.ts'

/** A request for one blob. */
export interface BlobRequest {
  readonly request: EnclaveRequest
  readonly store: BlobStore
  readonly container: string
  readonly blob: string
  readonly leaseId: string | undefined
}

/** By method, `restype` and `comp`. */
export const blobOperations: Readonly<Record<string, (request: BlobRequest) => Answer>> = {
  GET: readBlob,
  HEAD: readBlob,
  PUT({ request, store, container, blob, leaseId }) {
    const type = textOf(request, 'x-ms-blob-type')
    if (type !== 'BlockBlob' || request.headers['x-ms-copy-source'] !== undefined)
      throw unsupported(`${type ?? 'copy'} of a blob`)
    const given = { properties: propertiesOf(request), metadata: metadataOf(request) }
    return empty(201, headersOf(store.put(container, blob, request.body, given, leaseId)))
  },
  DELETE({ store, container, blob, leaseId }) {
    store.delete(container, blob, leaseId)
    return empty(202)
  },
  'PUT block'({ request, store, container, blob, leaseId }) {
    store.putBlock(container, blob, request.query.get('blockid') ?? '', request.body, leaseId)
    return empty(201)
  },
  'PUT blocklist'({ request, store, container, blob, leaseId }) {
    const ids = [...request.body.toString().matchAll(/<(?:Latest|Uncommitted|Committed)>([^<]*)</g)].map(
      ([, id = '']) => id,
    )
    const given = { properties: propertiesOf(request, true), metadata: metadataOf(request) }
    return empty(201, headersOf(store.commit(container, blob, ids, given, leaseId)))
  },
  'PUT metadata': ({ request, store, container, blob, leaseId }) =>
    empty(200, headersOf(store.update(container, blob, { metadata: metadataOf(request) }, leaseId))),
  'PUT properties': ({ request, store, container, blob, leaseId }) =>
    empty(200, headersOf(store.update(container, blob, { properties: propertiesOf(request, true) }, leaseId))),
  'GET metadata': (each) => ({ ...readBlob(each), status: 200, body: '' }),
  'HEAD metadata': (each) => ({ ...readBlob(each), status: 200, body: '' }),
  'PUT lease'({ request, store, container, blob, leaseId = '' }) {
    const action = textOf(request, 'x-ms-lease-action')
    const headers = (id?: string) => ({
      ...headersOf(store.existing(container, blob)),
      ...(id && { 'x-ms-lease-id': id }),
    })
    switch (action) {
      case 'acquire': {
        const seconds = Number(textOf(request, 'x-ms-lease-duration') ?? -1)
        return empty(
          201,
          headers(store.acquireLease(container, blob, seconds, textOf(request, 'x-ms-proposed-lease-id'))),
        )
      }
      case 'renew':
        store.renewLease(container, blob, leaseId)
        return empty(200, headers(leaseId))
      case 'release':
        store.releaseLease(container, blob, leaseId)
        return empty(200, headers())
      case 'break':
        store.breakLease(container, blob)
        return empty(202, { ...headers(), 'x-ms-lease-time': '0' })
      default:
        throw unsupported(`lease action ${action}`)
    }
  },
}

function readBlob({ request, store, container, blob }: BlobRequest): Answer {
  const found = store.existing(container, blob)
  const { content, properties, metadata, createdAt } = found
  const leased = store.isLeased(found)
  const headers = {
    'content-type': 'application/octet-stream',
    ...properties,
    ...headersOf(found),
    ...Object.fromEntries(Object.entries(metadata).map(([key, value]) => [`x-ms-meta-${key}`, value])),
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
