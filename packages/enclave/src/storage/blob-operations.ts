import { randomUUID } from 'node:crypto'
import { type EnclaveResponse, empty, type EnclaveRequest, withHeaders } from '../http/exchange.ts'
import {
  refuse,
  StorageError,
  unsupported,
  type Blob,
  type BlobFacts,
  type BlobStore,
  type LeaseAction,
  type StoredBlob,
} from './blob-store.ts'

type Operation = (blob: StoredBlob, request: EnclaveRequest, store: BlobStore) => EnclaveResponse

const readBlob: Operation = (blob, request, store) => {
  const found = blob.existing()
  const { content, properties, metadata, createdAt } = found
  const leased = store.activeLease(found) !== undefined
  const whole = stored(200, found, {
    'content-type': 'application/octet-stream',
    ...properties,
    ...Object.fromEntries(Object.entries(metadata).map(([key, value]) => [metadataPrefix + key, value])),
    'accept-ranges': 'bytes',
    'x-ms-blob-type': 'BlockBlob',
    'x-ms-creation-time': new Date(createdAt).toUTCString(),
    'x-ms-lease-status': leased ? 'locked' : 'unlocked',
    'x-ms-lease-state': leased ? 'leased' : 'available',
    'x-ms-server-encrypted': 'true',
  })
  const [start, end] = rangeOf(request, content.length) ?? []
  if (start === undefined || end === undefined) return { ...whole, body: content }
  const range = { 'content-range': `bytes ${start}-${end}/${content.length}` }
  return { ...withHeaders(whole, range), status: 206, body: content.subarray(start, end + 1) }
}

const readMetadata: Operation = (...each) => ({ ...readBlob(...each), status: 200, body: '' })

/** Without this header, the Azure SDK for C++ ends its process. */
const encrypted = { 'x-ms-request-server-encrypted': 'true' }

/** Operations by method, `restype` and `comp`. */
export const blobOperations: Readonly<Record<string, Operation | undefined>> = {
  GET: readBlob,
  HEAD: readBlob,
  'GET metadata': readMetadata,
  'HEAD metadata': readMetadata,
  PUT(blob, request) {
    const type = textOf(request, 'x-ms-blob-type')
    if (type !== 'BlockBlob' || request.headers['x-ms-copy-source'] !== undefined)
      throw unsupported(`${type ?? 'copy'} of a blob`)
    return stored(201, blob.put([request.body], factsOf(request, ['', 'x-ms-blob-'])), encrypted)
  },
  DELETE(blob) {
    blob.delete()
    return empty(202)
  },
  'PUT block'(blob, { query, body }) {
    blob.putBlock(query.get('blockid') ?? '', body)
    return empty(201, encrypted)
  },
  'PUT blocklist'(blob, request) {
    const ids = request.body.toString().matchAll(/<(?:Latest|Uncommitted|Committed)>([^<]*)</g)
    // The store keeps no committed blocks, so a list may contain only uncommitted ones.
    const parts = Array.from(ids, ([, id = '']) => blob.uncommitted().get(id) ?? refuse('InvalidBlockList'))
    return stored(201, blob.put(parts, factsOf(request)), encrypted)
  },
  'PUT metadata': (blob, request) => stored(200, blob.update({ metadata: factsOf(request).metadata })),
  'PUT properties': (blob, request) => stored(200, blob.update({ properties: factsOf(request).properties })),
  'PUT lease'(blob, request) {
    const action = textOf(request, 'x-ms-lease-action') ?? ''
    const status = Object.hasOwn(leaseActions, action) ? leaseActions[action as LeaseAction] : undefined
    if (status === undefined) throw unsupported(`lease action ${action}`)
    const id = textOf(request, 'x-ms-proposed-lease-id') ?? randomUUID()
    const seconds = Number(textOf(request, 'x-ms-lease-duration') ?? -1)
    const lease = blob.lease(action as LeaseAction, { id, seconds })
    const headers = {
      ...(lease && { 'x-ms-lease-id': lease.id }),
      ...(action === 'break' && { 'x-ms-lease-time': '0' }),
    }
    return stored(status, blob.existing(), headers)
  },
}

const leaseActions: Readonly<Record<LeaseAction, number>> = { acquire: 201, renew: 200, release: 200, break: 202 }

/** A response about a blob or a container, without content. */
export function stored(
  status: number,
  { etag, modifiedAt }: Pick<Blob, 'etag' | 'modifiedAt'>,
  headers: Readonly<Record<string, string>> = {},
): EnclaveResponse {
  return empty(status, { etag, 'last-modified': new Date(modifiedAt).toUTCString(), ...headers })
}

export function textOf({ headers }: EnclaveRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The first and last byte of a requested range. @throws {StorageError} 416 for a range after the end. */
function rangeOf(request: EnclaveRequest, length: number): readonly [number, number] | undefined {
  const text = textOf(request, 'x-ms-range') ?? textOf(request, 'range')
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(text ?? '') ?? []
  if (first === undefined) return undefined
  const [start, end] = [Number(first), last === '' ? length - 1 : Math.min(Number(last), length - 1)]
  if (start <= end) return [start, end]
  throw new StorageError('InvalidRange')
}

/** @throws {StorageError} if the blob does not fulfill If-Match or If-None-Match. */
export function expectConditions({ method, headers }: EnclaveRequest, blob: Blob | undefined): void {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers
  if (match !== undefined && (blob === undefined || (match !== '*' && match !== blob.etag)))
    throw new StorageError('ConditionNotMet')
  if (noneMatch === undefined || blob === undefined || (noneMatch !== '*' && noneMatch !== blob.etag)) return
  if (method === 'GET' || method === 'HEAD') throw new StorageError('ConditionNotMet', 'The blob has not changed.', 304)
  throw new StorageError(noneMatch === '*' ? 'BlobAlreadyExists' : 'ConditionNotMet')
}

const metadataPrefix = 'x-ms-meta-'
const settable = /^content-(?:type|encoding|language|md5|disposition)$|^cache-control$/

/** Properties and metadata of a blob in the headers. Headers without a prefix describe the request body, which may be the blob. */
export function factsOf({ headers }: EnclaveRequest, prefixes: readonly string[] = ['x-ms-blob-']): BlobFacts {
  const after = (prefix: string) =>
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), String(value)] as const] : [],
    )
  const properties = prefixes.flatMap(after).filter(([name, value]) => settable.test(name) && value !== '')
  return { properties: Object.fromEntries(properties), metadata: Object.fromEntries(after(metadataPrefix)) }
}
