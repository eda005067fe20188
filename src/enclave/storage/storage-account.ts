import { randomBytes, randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { answerFileSystem, isFileSystemRequest } from './dfs-operations.ts'
import type { Answer, EnclaveRequest } from '../http/route.ts'
import { blobOperations } from './blob-operations.ts'
import { type BlobStore, StorageError, createBlobStore } from './blob-store.ts'
import { listBlobs, listContainers } from './list-blobs.ts'
import {
  empty,
  headersOf,
  storageError,
  unsupported,
  expectConditions,
  textOf,
  escapeXml,
  xml,
} from './storage-http.ts'

/** An existing state, so that Terraform reads one before it writes. */
const emptyState = {
  version: 4,
  terraform_version: '1.0.0',
  serial: 1,
  lineage: randomUUID(),
  outputs: {},
  resources: [],
}

/** rclone asks for them, of the account and of a container, to learn whether its blobs have folders. */
const accountProperties = {
  'x-ms-sku-name': 'Standard_LRS',
  'x-ms-account-kind': 'StorageV2',
  'x-ms-is-hns-enabled': 'false',
}

/** A storage account with block blobs, leases and ranges, and a container `example` with an empty Terraform state. */
export function createStorageAccount(
  now: () => number,
): (request: EnclaveRequest, origin: string, claims: JWTPayload) => Answer {
  const store = createBlobStore(now)
  store.createContainer('example')
  const properties = { 'content-type': 'application/json' }
  store.put('example', 'terraform.tfstate', Buffer.from(JSON.stringify(emptyState)), { properties, metadata: {} })
  return (request, origin, claims) => {
    try {
      if (request.query.get('comp') === 'userdelegationkey') return delegationKey(request, claims)
      return answer(request, origin, store)
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      return storageError(error.status, error.code, error.message)
    }
  }
}

/** A key that a client signs addresses with. The enclave does not accept such addresses: it has no accounts with keys. */
function delegationKey({ body }: EnclaveRequest, { oid, tid }: JWTPayload): Answer {
  const text = body.toString()
  const field = (name: string) => text.split(`<${name}>`)[1]?.split('<')[0] ?? ''
  const rows = {
    SignedOid: String(oid),
    SignedTid: String(tid),
    SignedStart: field('Start'),
    SignedExpiry: field('Expiry'),
    SignedService: 'b',
    SignedVersion: '2020-02-10',
    Value: randomBytes(32).toString('base64'),
  }
  const lines = Object.entries(rows).map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`)
  return xml(200, `<UserDelegationKey>${lines.join('')}</UserDelegationKey>`)
}

function answer(request: EnclaveRequest, origin: string, store: BlobStore): Answer {
  const [container = '', ...rest] = request.path.slice(1).split('/')
  const blob = rest.map(decodeSegment).join('/')
  const operation =
    `${request.method} ${request.query.get('restype') ?? ''} ${request.query.get('comp') ?? ''}`.trimEnd()
  if (/^(?:GET|HEAD) account properties$/.test(operation)) return empty(200, accountProperties)
  if (container !== '' && isFileSystemRequest(request)) return answerFileSystem(request, container, blob, store)
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

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
