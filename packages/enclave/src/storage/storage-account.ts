import { randomBytes } from 'node:crypto'
import type { EnclaveRequest, EnclaveResponse, Handler } from '../http/exchange.ts'
import { decodeSegment, empty, escapeMarkup, json, refusal, withHeaders, xml } from '../http/exchange.ts'
import { type AzuriteAddresses, forwardToAzurite } from './azurite.ts'
import {
  blobOperations,
  expectConditions,
  expectSupported,
  leaseHeaders,
  pageOf,
  stored,
  textOf,
} from './blob-operations.ts'
import { StorageError, unsupported, type BlobStore, createBlobStore, type Blob } from './blob-store.ts'
import { isFolder, respondAsFileSystem, isFileSystemRequest } from './dfs-operations.ts'

/** rclone requests the account properties to learn whether blobs have folders. */
const accountProperties = {
  'x-ms-sku-name': 'Standard_LRS',
  'x-ms-account-kind': 'StorageV2',
  'x-ms-is-hns-enabled': 'false',
}

/** Error codes of the file system that differ from codes of blobs. */
const fileSystemCodes: Readonly<Partial<Record<StorageError['code'], string>>> = {
  BlobNotFound: 'PathNotFound',
  ContainerNotFound: 'FilesystemNotFound',
  ContainerAlreadyExists: 'FilesystemAlreadyExists',
  BlobAlreadyExists: 'PathAlreadyExists',
}

/** A storage account with block blobs, leases, ranges and a file system, or a running azurite. */
export function createStorageAccount(now: () => number, azurite: AzuriteAddresses | undefined): Handler {
  const store = createBlobStore(now)
  const forward = azurite === undefined ? undefined : forwardToAzurite(azurite)
  return (request) => {
    try {
      if (request.query.get('comp') === 'userdelegationkey') return delegationKey(request)
      if (forward !== undefined) return forward(request)
      const [, service] = /^https:\/\/[^.]+\.(queue|table)\./.exec(request.origin) ?? []
      if (service !== undefined) throw unsupported(`${service}s without azurite (--azurite)`)
      const response = respond(request, store)
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      return withHeaders(response, { [isRead ? 'x-ms-server-encrypted' : 'x-ms-request-server-encrypted']: 'true' })
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      return { ...refusalOf(error, request, isFileSystemRequest(request)), reason: error.reason }
    }
  }
}

function refusalOf({ status, code, message }: StorageError, { method }: EnclaveRequest, isFileSystem: boolean) {
  const name = (isFileSystem ? fileSystemCodes[code] : undefined) ?? code
  // The Azure SDK for C++ parses the body that the content type announces, and ends its process if there is none.
  if (method === 'HEAD') return empty(status, { 'x-ms-error-code': name })
  if (!isFileSystem) return refusal('storage', status, name, message)
  return json(status, { error: { code: name, message } }, { 'x-ms-error-code': name })
}

/** A key with which a client signs URLs. The enclave refuses signed URLs. */
function delegationKey({ body, claims }: EnclaveRequest): EnclaveResponse {
  const field = (name: string) => body.toString().split(`<${name}>`)[1]?.split('<')[0] ?? ''
  return xml(200, 'UserDelegationKey', {
    SignedOid: String(claims['oid']),
    SignedTid: String(claims['tid']),
    SignedStart: field('Start'),
    SignedExpiry: field('Expiry'),
    SignedService: 'b',
    SignedVersion: '2020-02-10',
    Value: randomBytes(32).toString('base64'),
  })
}

function respond(request: EnclaveRequest, store: BlobStore): EnclaveResponse {
  const { method, path, query } = request
  const [container = '', ...rest] = path.slice(1).split('/')
  const name = rest.map(decodeSegment).join('/')
  const operation = [method, query.get('restype'), query.get('comp')].filter(Boolean).join(' ')
  if (/^(?:GET|HEAD) account properties$/.test(operation)) return empty(200, accountProperties)
  expectSupported(request)
  if (container === '' && operation === 'GET list') return listContainers(request, store)
  if (container === '') throw unsupported(operation)
  // The content of a file is read as a blob.
  const isRead = method === 'GET' && !query.has('resource')
  if (!isRead && isFileSystemRequest(request)) return respondAsFileSystem(request, container, name, store)
  if (name !== '') {
    const row = Object.hasOwn(blobOperations, operation) ? blobOperations[operation] : undefined
    if (row === undefined) throw unsupported(operation)
    const blob = store.blob(container, name, textOf(request, 'x-ms-lease-id'))
    expectConditions(request, blob.find())
    return row(blob, request, store)
  }
  switch (operation) {
    case 'PUT container':
      return stored(201, store.createContainer(container))
    case 'DELETE container':
      store.deleteContainer(container)
      return empty(202)
    case 'GET container':
    case 'HEAD container': {
      const holds = { 'x-ms-has-immutability-policy': 'false', 'x-ms-has-legal-hold': 'false' }
      return stored(200, store.container(container), { ...leaseHeaders(false), ...holds })
    }
    case 'GET container list':
    case 'GET list':
      return listBlobs(request, container, store)
    default:
      throw unsupported(operation)
  }
}

const dateOf = (time: number) => new Date(time).toUTCString()

function listContainers({ query, origin }: EnclaveRequest, store: BlobStore): EnclaveResponse {
  const names = [...store.containers.keys()].sort().filter((name) => name.startsWith(query.get('prefix') ?? ''))
  const rows = names.map((Name) => {
    const { modifiedAt, etag } = store.container(Name)
    return { Name, Properties: { 'Last-Modified': dateOf(modifiedAt), Etag: etag.replaceAll('"', '') } }
  })
  const root = `EnumerationResults ServiceEndpoint="${origin}/"`
  return xml(200, root, { Containers: { Container: rows }, NextMarker: '' })
}

/** One page of the blobs of a container, with `prefix`, `delimiter`, `startFrom` (included), `marker` and `maxresults`. */
function listBlobs({ query, origin }: EnclaveRequest, container: string, store: BlobStore): EnclaveResponse {
  const text = (key: string) => query.get(key) ?? ''
  const [prefix, delimiter, include] = [text('prefix'), text('delimiter'), text('include').split(',')]
  const { blobs } = store.container(container)
  // All names with the same text up to the delimiter are one prefix.
  const entries = new Map<string, Blob | undefined>()
  for (const path of blobs.keys()) {
    if (!path.startsWith(prefix) || path < text('startFrom')) continue
    const end = delimiter === '' ? -1 : path.indexOf(delimiter, prefix.length)
    const blob = blobs.get(path)
    // As in a file system, such a list doesn't contain directories as blobs.
    if (end < 0 && delimiter === '/' && blob !== undefined && isFolder(blob)) entries.set(`${path}/`, undefined)
    else if (end < 0) entries.set(path, blob)
    else entries.set(path.slice(0, end + delimiter.length), undefined)
  }
  const { page, next = '' } = pageOf(entries, query.get('marker'), query.get('maxresults'))
  const describe = (Name: string, blob: Blob) => {
    const named = Object.entries(blob.metadata).filter(([key]) => /^[A-Za-z_]\w*$/.test(key))
    const leased = store.activeLease(blob) !== undefined
    const Properties = {
      'Creation-Time': dateOf(blob.createdAt),
      'Last-Modified': dateOf(blob.modifiedAt),
      Etag: blob.etag.replaceAll('"', ''),
      'Content-Length': String(blob.content.length),
      'Content-Type': blob.properties['content-type'] ?? 'application/octet-stream',
      'Content-MD5': blob.properties['content-md5'] ?? '',
      BlobType: 'BlockBlob',
      LeaseStatus: leased ? 'locked' : 'unlocked',
      LeaseState: leased ? 'leased' : 'available',
    }
    return { Name, Properties, ...(include.includes('metadata') && { Metadata: Object.fromEntries(named) }) }
  }
  return xml(200, `EnumerationResults ServiceEndpoint="${origin}/" ContainerName="${escapeMarkup(container)}"`, {
    Prefix: prefix,
    ...(delimiter !== '' && { Delimiter: delimiter }),
    Blobs: {
      Blob: page.flatMap(([name, blob]) => (blob ? [describe(name, blob)] : [])),
      BlobPrefix: page.flatMap(([Name, blob]) => (blob ? [] : [{ Name }])),
    },
    NextMarker: next,
  })
}
