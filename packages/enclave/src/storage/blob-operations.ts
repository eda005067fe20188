import { randomUUID } from 'node:crypto'
import { decodeSegment, type EnclaveResponse, empty, type EnclaveRequest, withHeaders } from '../http/exchange.ts'
import type { Blob, BlobFacts, BlobStore, LeaseAction, StoredBlob } from './blob-store.ts'
import { StorageError, refuse, unsupported } from './blob-store.ts'

type Operation = (blob: StoredBlob, request: EnclaveRequest, store: BlobStore) => EnclaveResponse

const readBlob: Operation = (blob, request, store) => {
  const found = blob.existing()
  const { content, properties, metadata, createdAt } = found
  const whole = stored(200, found, {
    'content-type': 'application/octet-stream',
    ...properties,
    ...Object.fromEntries(Object.entries(metadata).map(([key, value]) => [metadataPrefix + key, value])),
    'accept-ranges': 'bytes',
    'x-ms-blob-type': 'BlockBlob',
    'x-ms-creation-time': new Date(createdAt).toUTCString(),
    ...leaseHeaders(store.activeLease(found) !== undefined),
  })
  const [start, end] = rangeOf(textOf(request, 'x-ms-range') ?? textOf(request, 'range'), content.length) ?? []
  if (start === undefined || end === undefined) return { ...whole, body: content }
  const range = { 'content-range': `bytes ${start}-${end}/${content.length}` }
  return { ...withHeaders(whole, range), status: 206, body: content.subarray(start, end + 1) }
}

const readMetadata: Operation = (...each) => ({ ...readBlob(...each), status: 200, body: '' })

/** Operations by method, `restype` and `comp`. */
export const blobOperations: Readonly<Record<string, Operation | undefined>> = {
  GET: readBlob,
  HEAD: readBlob,
  'GET metadata': readMetadata,
  'HEAD metadata': readMetadata,
  PUT(blob, request, store) {
    const type = textOf(request, 'x-ms-blob-type')
    const source = sourceOf(request, store)
    if (source === undefined && type !== 'BlockBlob') throw unsupported(`${type ?? 'a PUT without a type'} of a blob`)
    if (source === undefined) return stored(201, blob.put([request.body], factsOf(request, ['', 'x-ms-blob-'])))
    const copied = { 'x-ms-copy-id': randomUUID(), 'x-ms-copy-status': 'success' }
    const { properties, metadata } = factsOf(request)
    const kept = {
      properties: { ...source.properties, ...properties, ...copied },
      metadata: Object.keys(metadata).length > 0 ? metadata : source.metadata,
    }
    return stored(type === 'BlockBlob' ? 201 : 202, blob.put([source.content], kept), copied)
  },
  DELETE(blob) {
    blob.delete()
    return empty(202)
  },
  'PUT block'(blob, request, store) {
    const { content } = sourceOf(request, store) ?? {}
    const [start, end] = (content && rangeOf(textOf(request, 'x-ms-source-range'), content.length)) ?? [0, Infinity]
    blob.putBlock(request.query.get('blockid') ?? '', content?.subarray(start, end + 1) ?? request.body)
    return empty(201)
  },
  'PUT blocklist'(blob, request) {
    const ids = request.body.toString().matchAll(/<(?:Latest|Uncommitted|Committed)>([^<]*)</g)
    // The store keeps no committed blocks, so a list may contain only uncommitted ones.
    const parts = Array.from(ids, ([, id = '']) => blob.uncommitted().get(id) ?? refuse('InvalidBlockList'))
    return stored(201, blob.put(parts, factsOf(request)))
  },
  'PUT metadata': (blob, request) => stored(200, blob.update({ metadata: factsOf(request).metadata })),
  'PUT properties': (blob, request) => stored(200, blob.update({ properties: factsOf(request).properties })),
  'PUT lease'(blob, request, store) {
    const action = textOf(request, 'x-ms-lease-action') ?? ''
    const status = Object.hasOwn(leaseActions, action) ? leaseActions[action as LeaseAction] : undefined
    if (status === undefined) throw unsupported(`lease action ${action}`)
    const id = textOf(request, 'x-ms-proposed-lease-id') ?? randomUUID()
    const seconds = textOf(request, action === 'break' ? 'x-ms-lease-break-period' : 'x-ms-lease-duration')
    const lease = blob.lease(action as LeaseAction, { id, seconds: Number(seconds ?? -1) })
    const left = Math.ceil(((lease?.expiresAt ?? 0) - store.now()) / 1000)
    const headers = action === 'break' ? { 'x-ms-lease-time': String(left) } : lease && { 'x-ms-lease-id': lease.id }
    return stored(status, blob.existing(), headers)
  },
}

const leaseActions: Readonly<Record<LeaseAction, number>> = { acquire: 201, renew: 200, release: 200, break: 202 }

export const leaseHeaders = (isLeased: boolean) => ({
  'x-ms-lease-status': isLeased ? 'locked' : 'unlocked',
  'x-ms-lease-state': isLeased ? 'leased' : 'available',
})

const pageSize = 5000

/** One page of entries, sorted by name: at most `size`, from the entry `from` on. `next` is the first entry after the page. */
export function pageOf<T>(entries: Iterable<readonly [string, T]>, from: string | null, size: string | null) {
  const most = Math.min(pageSize, Math.max(1, Number(size) || pageSize))
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
  const after = sorted.filter(([name]) => name >= (from ?? ''))
  return { page: after.slice(0, most), next: after[most]?.[0] }
}

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

/** The blob that a copy reads. @throws {StorageError} if it is in another account, or does not exist. */
function sourceOf(request: EnclaveRequest, store: BlobStore): Blob | undefined {
  const address = textOf(request, 'x-ms-copy-source')
  if (address === undefined) return undefined
  const url = URL.parse(address)
  const account = (host = '') => host.replace('.dfs.', '.blob.').toLowerCase()
  if (url === null || account(url.host) !== account(request.headers.host))
    throw unsupported('a copy from another account')
  if (/snapshot|versionid/i.test(url.search)) throw unsupported('a copy of a snapshot or version')
  const [container = '', ...name] = url.pathname.slice(1).split('/').map(decodeSegment)
  return store.blob(container, name.join('/')).existing()
}

/** The query parameters of the operations here. Another one would change the result, such as `snapshot`, `showonly` or `deletetype`. */
const ofBlobs = 'restype comp timeout prefix delimiter marker maxresults include startFrom blockid blocklisttype'
const ofFiles =
  'resource action recursive directory maxResults continuation upn position flush close retainUncommittedData mode paginated'
const parameters = new Set(`${ofBlobs} ${ofFiles}`.split(' '))
const ofOtherStores =
  /^x-ms-(?:tags|if-tags|source-if-.+|encryption-(?:key|scope).*|immutability-.+|legal-hold|lease-action)$|^if-(?:un)?modified-since$/

/** Refuses what the store would ignore. @throws {StorageError} */
export function expectSupported({ query, headers }: EnclaveRequest): void {
  const header = Object.keys(headers).find((name) => ofOtherStores.test(name))
  if (header !== undefined && query.get('comp') !== 'lease') throw unsupported(`the header ${header}`)
  const parameter = [...query.keys()].find((name) => !parameters.has(name))
  if (parameter !== undefined) throw unsupported(`the parameter ${parameter}`)
}

/** The first and last byte of a requested range. @throws {StorageError} 416 for a range after the end. */
function rangeOf(text: string | undefined, length: number): readonly [number, number] | undefined {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(text ?? '') ?? []
  if (first === undefined) return undefined
  const [start, end] = [Number(first), last === '' ? length - 1 : Math.min(Number(last), length - 1)]
  if (start <= end) return [start, end]
  throw new StorageError('InvalidRange')
}

/** @throws {StorageError} if the blob does not fulfill the conditions in the headers. */
export function expectConditions({ method, headers }: EnclaveRequest, blob: Blob | undefined): void {
  // The real service accepts a tag without quotes, as its lists have it.
  const bare = (name: 'if-match' | 'if-none-match') => headers[name]?.replaceAll('"', '')
  const [match, noneMatch] = [bare('if-match'), bare('if-none-match')]
  const etag = blob?.etag.replaceAll('"', '')
  if (match !== undefined && (blob === undefined || (match !== '*' && match !== etag)))
    throw new StorageError('ConditionNotMet')
  if (noneMatch === undefined || blob === undefined || (noneMatch !== '*' && noneMatch !== etag)) return
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
