import { randomUUID } from 'node:crypto'

/** Refusals of the real service, by code. */
const refusals = {
  ContainerNotFound: [404, 'The specified container does not exist.'],
  ContainerAlreadyExists: [409, 'The specified container already exists.'],
  BlobNotFound: [404, 'The specified blob does not exist.'],
  BlobAlreadyExists: [409, 'The specified blob already exists.'],
  InvalidBlockList: [400, 'The specified block list is invalid.'],
  InvalidRange: [416, 'The range specified is invalid for the current size of the resource.'],
  ConditionNotMet: [412, 'The condition specified using HTTP conditional header(s) is not met.'],
  InvalidHeaderValue: [400, 'The value for one of the HTTP headers is not in the correct format.'],
  LeaseIdMissing: [412, 'There is currently a lease on the blob and no lease ID was specified.'],
  LeaseIdMismatchWithBlobOperation: [412, 'The lease ID specified did not match the lease ID of the blob.'],
  LeaseIdMismatchWithLeaseOperation: [409, 'The lease ID specified did not match the lease ID of the blob.'],
  LeaseNotPresentWithBlobOperation: [412, 'There is currently no lease on the blob.'],
  LeaseNotPresentWithLeaseOperation: [409, 'There is currently no lease on the blob.'],
  LeaseAlreadyPresent: [409, 'There is already a lease present.'],
  RequestBodyTooLarge: [413, 'The request body is too large.'],
  NotImplemented: [501, 'The enclave does not support this operation.'],
} as const

/** A refusal of the storage account, by the code of the real service. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code: keyof typeof refusals
  readonly status: number

  constructor(code: keyof typeof refusals, message: string = refusals[code][1], status: number = refusals[code][0]) {
    super(message)
    this.code = code
    this.status = status
  }
}

export function unsupported(operation: string): StorageError {
  const supported = 'containers, block blobs, block lists, ranges, metadata, properties and leases'
  return new StorageError('NotImplemented', `The enclave does not support ${operation}. Its storage has ${supported}.`)
}

interface Lease {
  readonly id: string
  /** -1 for a lease without an end. */
  readonly seconds: number
  readonly expiresAt: number
}

/** What a client says about a blob: Content-Type and its like, and metadata without the prefix `x-ms-meta-`. */
export interface BlobFacts {
  readonly properties: Readonly<Record<string, string>>
  readonly metadata: Readonly<Record<string, string>>
}

export interface Blob extends BlobFacts {
  readonly content: Buffer
  readonly etag: string
  readonly modifiedAt: number
  readonly createdAt: number
  readonly lease?: Lease | undefined
}

interface Container {
  readonly modifiedAt: number
  readonly etag: string
  readonly blobs: Map<string, Blob>
  /** Uploaded blocks that no list has committed, by blob and id. */
  readonly blocks: Map<string, Map<string, Buffer>>
}

/** All content of one account stays in memory, so it is bounded. */
const maxBytes = 256 * 1024 * 1024
const maxEntries = 20_000

export type BlobStore = ReturnType<typeof createBlobStore>

/** One blob of the store, which may not exist. */
export type StoredBlob = ReturnType<BlobStore['blob']>

/** The containers and block blobs of one storage account, in memory. */
export function createBlobStore(now: () => number) {
  const containers = new Map<string, Container>()
  let changes = 0
  const stamp = () => ({ etag: `"0x8D${(++changes).toString(16).toUpperCase().padStart(12, '0')}"`, modifiedAt: now() })

  const container = (name: string): Container => {
    const found = containers.get(name)
    if (found === undefined) throw new StorageError('ContainerNotFound')
    return found
  }
  const isLeased = ({ lease }: Blob): boolean => lease !== undefined && lease.expiresAt > now()
  const expectRoom = (added: number, replaced = 0): void => {
    const all = [...containers.values()]
    const blobs = all.flatMap((each) => [...each.blobs.values()].map(({ content }) => content))
    const blocks = all.flatMap((each) => [...each.blocks.values()].flatMap((parts) => [...parts.values()]))
    const entries = 1 + all.length + blobs.length + blocks.length
    if (sumOf(blobs) + sumOf(blocks) + added - replaced <= maxBytes && entries <= maxEntries) return
    throw new StorageError(
      'RequestBodyTooLarge',
      `The enclave stores at most ${maxBytes} bytes in ${maxEntries} containers, blobs and blocks.`,
    )
  }

  return {
    container,
    containers: containers as ReadonlyMap<string, Container>,
    isLeased,
    createContainer(name: string): Container {
      if (containers.has(name)) throw new StorageError('ContainerAlreadyExists')
      expectRoom(0)
      const created = { ...stamp(), blobs: new Map<string, Blob>(), blocks: new Map<string, Map<string, Buffer>>() }
      containers.set(name, created)
      return created
    },
    deleteContainer(name: string): void {
      container(name)
      containers.delete(name)
    },
    /** @param leaseId Of a change. Another client's lease refuses it, and so does a lease that is not active. */
    blob(containerName: string, name: string, leaseId?: string) {
      const { blobs, blocks } = container(containerName)
      const find = (): Blob | undefined => blobs.get(name)
      const existing = (): Blob => {
        const blob = find()
        if (blob === undefined) throw new StorageError('BlobNotFound')
        return blob
      }
      const expectLease = (): void => {
        const blob = find()
        if (blob === undefined) return
        if (isLeased(blob) && leaseId === undefined) throw new StorageError('LeaseIdMissing')
        if (isLeased(blob) && blob.lease?.id !== leaseId) throw new StorageError('LeaseIdMismatchWithBlobOperation')
        if (!isLeased(blob) && leaseId !== undefined) throw new StorageError('LeaseNotPresentWithBlobOperation')
      }
      /** The lease that the client holds. */
      const ownLease = (): Lease => {
        const { lease } = existing()
        if (lease === undefined || lease.id !== leaseId) throw new StorageError('LeaseIdMismatchWithLeaseOperation')
        return lease
      }
      const setLease = (lease: Omit<Lease, 'expiresAt'> | undefined): void => {
        const end = lease?.seconds === -1 ? Infinity : now() + (lease?.seconds ?? 0) * 1000
        blobs.set(name, { ...existing(), lease: lease && { ...lease, expiresAt: end } })
      }
      const put = (content: Buffer, given: BlobFacts): Blob => {
        const before = find()
        expectLease()
        expectRoom(content.length, bytes())
        const blob = { ...stamp(), content, createdAt: before?.createdAt ?? now(), lease: before?.lease, ...given }
        blobs.set(name, blob)
        blocks.delete(name)
        return blob
      }
      /** Of the blob and its blocks, which its next content replaces. */
      const bytes = (): number => sumOf([...(blocks.get(name)?.values() ?? []), find()?.content ?? Buffer.alloc(0)])

      return {
        find,
        existing,
        put,
        /** Uncommitted blocks, by id. */
        blocks: (): ReadonlyMap<string, Buffer> => blocks.get(name) ?? new Map<string, Buffer>(),
        putBlock(id: string, content: Buffer): void {
          expectLease()
          const parts = blocks.get(name) ?? new Map<string, Buffer>()
          expectRoom(content.length, parts.get(id)?.length)
          blocks.set(name, parts.set(id, content))
        },
        /** Makes the blob of uploaded blocks. Committed blocks are not kept, so a list names uncommitted ones. */
        commit(ids: readonly string[], given: BlobFacts): Blob {
          const content = ids.map((id) => {
            const part = blocks.get(name)?.get(id)
            if (part === undefined) throw new StorageError('InvalidBlockList')
            return part
          })
          // A list may name a block many times.
          expectRoom(sumOf(content), bytes())
          return put(Buffer.concat(content), given)
        },
        /** Replaces properties or metadata. */
        update(given: Partial<BlobFacts>): Blob {
          const blob = existing()
          expectLease()
          const updated = { ...blob, ...stamp(), ...given }
          blobs.set(name, updated)
          return updated
        },
        delete(): void {
          existing()
          expectLease()
          blobs.delete(name)
        },
        acquireLease(seconds: number, id: string = randomUUID()): string {
          const blob = existing()
          if (isLeased(blob) && blob.lease?.id !== id) throw new StorageError('LeaseAlreadyPresent')
          if (seconds !== -1 && !(seconds >= 15 && seconds <= 60))
            throw new StorageError('InvalidHeaderValue', 'x-ms-lease-duration must be -1, or 15 to 60 seconds.')
          setLease({ id, seconds })
          return id
        },
        renewLease(): string {
          const lease = ownLease()
          setLease(lease)
          return lease.id
        },
        releaseLease(): void {
          ownLease()
          setLease(undefined)
        },
        breakLease(): void {
          if (!isLeased(existing())) throw new StorageError('LeaseNotPresentWithLeaseOperation')
          setLease(undefined)
        },
      }
    },
  }
}

function sumOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}
