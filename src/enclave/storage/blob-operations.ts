import { type Answer, empty, type EnclaveRequest } from '../http/exchange.ts'
import { StorageError, unsupported, type Blob, type BlobFacts, type BlobStore, type StoredBlob } from './blob-store.ts'

type Headers = Readonly<Record<string, string>>
type Operation = (blob: StoredBlob, request: EnclaveRequest, store: BlobStore) => Answer

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
export const blobOperations: Readonly<Record<string, Operation | undefined>> = {
  GET: readBlob,
  HEAD: readBlob,
  'GET metadata': readMetadata,
  'HEAD metadata': readMetadata,
  PUT(blob, request) {
    const type = textOf(request, 'x-ms-blob-type')
    if (type !== 'BlockBlob' || request.headers['x-ms-copy-source'] !== undefined)
      throw unsupported(`${type ?? 'copy'} of a blob`)
    return stored(201, blob.put(request.body, factsOf(request, ['', 'x-ms-blob-'])))
  },
  DELETE(blob) {
    blob.delete()
    return empty(202)
  },
  'PUT block'(blob, { query, body }) {
    blob.putBlock(query.get('blockid') ?? '', body)
    return empty(201)
  },
  'PUT blocklist'(blob, request) {
    const listed = request.body.toString().matchAll(/<(?:Latest|Uncommitted|Committed)>([^<]*)</g)
    const ids = Array.from(listed, ([, id = '']) => id)
    return stored(201, blob.commit(ids, factsOf(request)))
  },
  'PUT metadata': (blob, request) => stored(200, blob.update({ metadata: factsOf(request).metadata })),
  'PUT properties': (blob, request) => stored(200, blob.update({ properties: factsOf(request).properties })),
  'PUT lease'(blob, request) {
    const action = textOf(request, 'x-ms-lease-action') ?? ''
    const change = Object.hasOwn(leaseActions, action) ? leaseActions[action] : undefined
    if (change === undefined) throw unsupported(`lease action ${action}`)
    const [status, headers] = change(blob, request)
    return stored(status, blob.existing(), headers)
  },
}

const leaseActions: Readonly<Record<string, (blob: StoredBlob, request: EnclaveRequest) => [number, Headers?]>> = {
  acquire(blob, request) {
    const seconds = Number(textOf(request, 'x-ms-lease-duration') ?? -1)
    return [201, { 'x-ms-lease-id': blob.acquireLease(seconds, textOf(request, 'x-ms-proposed-lease-id')) }]
  },
  renew: (blob) => [200, { 'x-ms-lease-id': blob.renewLease() }],
  release(blob) {
    blob.releaseLease()
    return [200]
  },
  break(blob) {
    blob.breakLease()
    return [202, { 'x-ms-lease-time': '0' }]
  },
}

function headersOf({ etag, modifiedAt }: Pick<Blob, 'etag' | 'modifiedAt'>): Headers {
  return { etag, 'last-modified': new Date(modifiedAt).toUTCString() }
}

/** The answer that describes a blob or a container without its content. */
export function stored(status: number, found: Pick<Blob, 'etag' | 'modifiedAt'>, headers: Headers = {}): Answer {
  return empty(status, { ...headersOf(found), ...headers })
}

export function textOf({ headers }: EnclaveRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The first and last byte of a requested range. @throws {StorageError} 416 for a range behind the end. */
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

/** What a request says about a blob. The headers without a prefix describe the request body, which may be the blob. */
export function factsOf({ headers }: EnclaveRequest, prefixes: readonly string[] = ['x-ms-blob-']): BlobFacts {
  const after = (prefix: string) =>
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), String(value)] as const] : [],
    )
  const properties = prefixes.flatMap(after).filter(([name, value]) => settable.test(name) && value !== '')
  return { properties: Object.fromEntries(properties), metadata: Object.fromEntries(after(metadataPrefix)) }
}
