import { randomUUID } from 'node:crypto'
import type { Answer, EnclaveRequest } from '../http/answer.ts'
import { type Blob, type BlobStore, StorageError, createBlobStore } from './blob-store.ts'
import { listBlobs, listContainers } from './list-blobs.ts'
import { empty, storageError } from './storage-answer.ts'

/** Properties that a client may set, with or without the prefix `x-ms-blob-`. */
const settable = [
  'content-type',
  'content-encoding',
  'content-language',
  'content-md5',
  'cache-control',
  'content-disposition',
]

/** An existing state, so that Terraform reads one before it writes. */
const emptyState = {
  version: 4,
  terraform_version: '1.0.0',
  serial: 1,
  lineage: randomUUID(),
  outputs: {},
  resources: [],
}

/** A storage account with block blobs, leases and ranges, and a container `example` with an empty Terraform state. */
export function createStorageAccount(now: () => number): (request: EnclaveRequest, origin: string) => Answer {
  const store = createBlobStore(now)
  store.createContainer('example')
  const properties = { 'content-type': 'application/json' }
  store.put('example', 'terraform.tfstate', Buffer.from(JSON.stringify(emptyState)), { properties, metadata: {} })
  return (request, origin) => {
    try {
      return answer(request, origin, store)
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      return storageError(error.status, error.code, error.message)
    }
  }
}

function answer(request: EnclaveRequest, origin: string, store: BlobStore): Answer {
  const [container = '', ...rest] = request.path.slice(1).split('/')
  const blob = rest.map(decodeSegment).join('/')
  const operation =
    `${request.method} ${request.query.get('restype') ?? ''} ${request.query.get('comp') ?? ''}`.trimEnd()
  if (container === '') {
    if (request.method === 'GET' && request.query.get('comp') === 'list') return listContainers(request, origin, store)
  } else if (blob === '') {
    return answerContainer(request, operation, origin, container, store)
  } else {
    const row = blobOperations[operation.replace('  ', ' ')]
    if (row !== undefined) {
      expectConditions(request, store.find(container, blob))
      return row({ request, store, container, blob, leaseId: textOf(request, 'x-ms-lease-id') })
    }
  }
  throw unsupported(operation)
}

function answerContainer(
  request: EnclaveRequest,
  operation: string,
  origin: string,
  name: string,
  store: BlobStore,
): Answer {
  switch (operation) {
    case 'PUT container':
      return empty(201, headersOf(store.createContainer(name)))
    case 'DELETE container':
      store.deleteContainer(name)
      return empty(202)
    case 'GET container':
    case 'HEAD container':
      return empty(200, {
        ...headersOf(store.container(name)),
        'x-ms-lease-status': 'unlocked',
        'x-ms-lease-state': 'available',
      })
    case 'GET container list':
    case 'GET  list':
      return listBlobs(request, origin, name, store)
    default:
      throw unsupported(operation)
  }
}

interface BlobRequest {
  readonly request: EnclaveRequest
  readonly store: BlobStore
  readonly container: string
  readonly blob: string
  readonly leaseId: string | undefined
}

const blobOperations: Readonly<Record<string, (request: BlobRequest) => Answer>> = {
  GET: readBlob,
  HEAD: readBlob,
  PUT({ request, store, container, blob, leaseId }) {
    const type = textOf(request, 'x-ms-blob-type')
    if (type !== 'BlockBlob' || request.headers['x-ms-copy-source'] !== undefined)
      throw unsupported(`${type ?? 'copy'} of a blob`)
    const given = { properties: propertiesOf(request), metadata: metadataOf(request) }
    return empty(201, headersOf(store.put(container, blob, request.bytes, given, leaseId)))
  },
  DELETE({ store, container, blob, leaseId }) {
    store.delete(container, blob, leaseId)
    return empty(202)
  },
  'PUT block'({ request, store, container, blob, leaseId }) {
    store.putBlock(container, blob, request.query.get('blockid') ?? '', request.bytes, leaseId)
    return empty(201)
  },
  'PUT blocklist'({ request, store, container, blob, leaseId }) {
    const ids = [...request.body.matchAll(/<(?:Latest|Uncommitted|Committed)>([^<]*)</g)].map(([, id = '']) => id)
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

/** The first and last byte of a requested range. @throws {StorageError} 416 for a range behind the end. */
function rangeOf(request: EnclaveRequest, length: number): readonly [number, number] | undefined {
  const text = textOf(request, 'x-ms-range') ?? textOf(request, 'range')
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(text ?? '') ?? []
  if (first === undefined) return undefined
  const [start, end] = [Number(first), last === '' ? length - 1 : Math.min(Number(last), length - 1)]
  if (start <= end) return [start, end]
  throw new StorageError(416, 'InvalidRange', 'The range specified is invalid for the current size of the resource.')
}

/** @throws {StorageError} if the blob does not fulfill If-Match or If-None-Match. */
function expectConditions(request: EnclaveRequest, blob: Blob | undefined): void {
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (match !== undefined && (blob === undefined || (match !== '*' && match !== blob.etag)))
    throw new StorageError(
      412,
      'ConditionNotMet',
      'The condition specified using HTTP conditional header(s) is not met.',
    )
  if (noneMatch === undefined || blob === undefined || (noneMatch !== '*' && noneMatch !== blob.etag)) return
  if (isRead) throw new StorageError(304, 'ConditionNotMet', 'The blob has not changed.')
  throw noneMatch === '*'
    ? new StorageError(409, 'BlobAlreadyExists', 'The specified blob already exists.')
    : new StorageError(412, 'ConditionNotMet', 'The condition specified using HTTP conditional header(s) is not met.')
}

function unsupported(operation: string): StorageError {
  const supported = 'containers, block blobs, block lists, ranges, metadata, properties and leases'
  return new StorageError(
    501,
    'NotImplemented',
    `The enclave does not support ${operation}. Its storage has ${supported}.`,
  )
}

function headersOf({
  etag,
  modifiedAt,
}: {
  readonly etag: string
  readonly modifiedAt: number
}): Record<string, string> {
  return { etag, 'last-modified': new Date(modifiedAt).toUTCString() }
}

/** @param onlyPrefixed Whether the headers without prefix describe the request body. */
function propertiesOf(request: EnclaveRequest, onlyPrefixed = false): Record<string, string> {
  return Object.fromEntries(
    settable.flatMap((name) => {
      const value = textOf(request, `x-ms-blob-${name}`) ?? (onlyPrefixed ? undefined : textOf(request, name))
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function metadataOf({ headers }: EnclaveRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith('x-ms-meta-') ? [[name.slice('x-ms-meta-'.length), String(value)]] : [],
    ),
  )
}

function textOf({ headers }: EnclaveRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
