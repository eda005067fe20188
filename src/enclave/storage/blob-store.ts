import { randomUUID } from 'node:crypto'

/** A refusal of the storage account, by the code of the real service. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

interface Lease {
  readonly id: string
  /** `Infinity` for a lease without an end. */
  readonly expiresAt: number
  readonly durationSeconds: number
}

export interface Blob {
  readonly content: Buffer
  readonly etag: string
  readonly modifiedAt: number
  readonly createdAt: number
  /** Content-Type and its like. */
  readonly properties: Readonly<Record<string, string>>
  /** Without the prefix `x-ms-meta-`. */
  readonly metadata: Readonly<Record<string, string>>
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

/** The containers and block blobs of one storage account, in memory. */
export function createBlobStore(now: () => number) {
  const containers = new Map<string, Container>()
  let changes = 0
  const stamp = () => ({ etag: `"0x8D${(++changes).toString(16).toUpperCase().padStart(12, '0')}"`, modifiedAt: now() })

  const container = (name: string): Container => {
    const found = containers.get(name)
    if (found === undefined) throw new StorageError(404, 'ContainerNotFound', 'The specified container does not exist.')
    return found
  }
  const find = (containerName: string, name: string): Blob | undefined => container(containerName).blobs.get(name)
  const isLeased = ({ lease }: Blob) => lease !== undefined && lease.expiresAt > now()

  /** @throws {StorageError} if another client holds the lease, or the given one is not active. */
  const expectLease = (blob: Blob | undefined, id: string | undefined): void => {
    const leased = blob !== undefined && isLeased(blob)
    if (leased && id === undefined)
      throw new StorageError(
        412,
        'LeaseIdMissing',
        'There is currently a lease on the blob and no lease ID was specified.',
      )
    if (leased && blob.lease?.id !== id)
      throw new StorageError(
        412,
        'LeaseIdMismatchWithBlobOperation',
        'The lease ID specified did not match the lease ID of the blob.',
      )
    if (!leased && id !== undefined && blob !== undefined)
      throw new StorageError(412, 'LeaseNotPresentWithBlobOperation', 'There is currently no lease on the blob.')
  }
  const expectRoom = (added: number, replaced = 0): void => {
    let bytes = added - replaced
    let entries = 1
    for (const { blobs, blocks } of containers.values()) {
      entries += 1 + blobs.size
      for (const { content } of blobs.values()) bytes += content.length
      for (const parts of blocks.values()) {
        entries += parts.size
        for (const part of parts.values()) bytes += part.length
      }
    }
    if (bytes > maxBytes || entries > maxEntries)
      throw new StorageError(
        413,
        'RequestBodyTooLarge',
        `The enclave stores at most ${maxBytes} bytes in ${maxEntries} containers, blobs and blocks.`,
      )
  }
  /** Of a blob and its blocks, which the next content of that name replaces. */
  const bytesOf = (containerName: string, name: string): number => {
    const { blobs, blocks } = container(containerName)
    const parts = [...(blocks.get(name)?.values() ?? [])]
    return sumOf(parts) + (blobs.get(name)?.content.length ?? 0)
  }
  const existing = (containerName: string, name: string): Blob => {
    const blob = find(containerName, name)
    if (blob === undefined) throw new StorageError(404, 'BlobNotFound', 'The specified blob does not exist.')
    return blob
  }
  const put = (
    containerName: string,
    name: string,
    content: Buffer,
    given: Pick<Blob, 'properties' | 'metadata'>,
    leaseId?: string,
  ): Blob => {
    const before = find(containerName, name)
    expectLease(before, leaseId)
    expectRoom(content.length, bytesOf(containerName, name))
    const blob = { ...stamp(), content, createdAt: before?.createdAt ?? now(), lease: before?.lease, ...given }
    container(containerName).blobs.set(name, blob)
    container(containerName).blocks.delete(name)
    return blob
  }
  const setLease = (containerName: string, name: string, lease: Lease | undefined): Blob => {
    const blob = { ...existing(containerName, name), lease }
    container(containerName).blobs.set(name, blob)
    return blob
  }

  return {
    container,
    containers: containers as ReadonlyMap<string, Container>,
    createContainer(name: string): Container {
      if (containers.has(name))
        throw new StorageError(409, 'ContainerAlreadyExists', 'The specified container already exists.')
      expectRoom(0)
      const created = { ...stamp(), blobs: new Map<string, Blob>(), blocks: new Map<string, Map<string, Buffer>>() }
      containers.set(name, created)
      return created
    },
    deleteContainer(name: string): void {
      container(name)
      containers.delete(name)
    },
    find,
    existing,
    isLeased,
    put,
    putBlock(containerName: string, name: string, id: string, content: Buffer, leaseId?: string): void {
      expectLease(find(containerName, name), leaseId)
      const { blocks } = container(containerName)
      const parts = blocks.get(name) ?? new Map<string, Buffer>()
      expectRoom(content.length, parts.get(id)?.length)
      blocks.set(name, parts.set(id, content))
    },
    /** Makes a blob of uploaded blocks. Committed blocks are not kept, so a list names uncommitted ones. */
    commit(
      containerName: string,
      name: string,
      ids: readonly string[],
      given: Pick<Blob, 'properties' | 'metadata'>,
      leaseId?: string,
    ): Blob {
      const parts = container(containerName).blocks.get(name)
      const content = ids.map((id) => {
        const part = parts?.get(id)
        if (part === undefined) throw new StorageError(400, 'InvalidBlockList', 'The specified block list is invalid.')
        return part
      })
      // A list may name a block many times.
      expectRoom(sumOf(content), bytesOf(containerName, name))
      return put(containerName, name, Buffer.concat(content), given, leaseId)
    },
    /** Replaces properties or metadata. */
    update(
      containerName: string,
      name: string,
      given: Partial<Pick<Blob, 'properties' | 'metadata'>>,
      leaseId?: string,
    ): Blob {
      const blob = existing(containerName, name)
      expectLease(blob, leaseId)
      const updated = { ...blob, ...stamp(), ...given }
      container(containerName).blobs.set(name, updated)
      return updated
    },
    delete(containerName: string, name: string, leaseId?: string): void {
      expectLease(existing(containerName, name), leaseId)
      container(containerName).blobs.delete(name)
    },
    acquireLease(containerName: string, name: string, durationSeconds: number, id: string = randomUUID()): string {
      const blob = existing(containerName, name)
      if (isLeased(blob) && blob.lease?.id !== id)
        throw new StorageError(409, 'LeaseAlreadyPresent', 'There is already a lease present.')
      const isEndless = durationSeconds === -1
      if (!isEndless && !(durationSeconds >= 15 && durationSeconds <= 60))
        throw new StorageError(400, 'InvalidHeaderValue', 'x-ms-lease-duration must be -1, or 15 to 60 seconds.')
      const expiresAt = isEndless ? Infinity : now() + durationSeconds * 1000
      setLease(containerName, name, { id, durationSeconds, expiresAt })
      return id
    },
    renewLease(containerName: string, name: string, id: string): void {
      const { lease } = existing(containerName, name)
      if (lease?.id !== id) throw leaseMismatch()
      const { durationSeconds } = lease
      const expiresAt = durationSeconds === -1 ? Infinity : now() + durationSeconds * 1000
      setLease(containerName, name, { id, durationSeconds, expiresAt })
    },
    releaseLease(containerName: string, name: string, id: string): void {
      if (existing(containerName, name).lease?.id !== id) throw leaseMismatch()
      setLease(containerName, name, undefined)
    },
    breakLease(containerName: string, name: string): void {
      if (!isLeased(existing(containerName, name)))
        throw new StorageError(409, 'LeaseNotPresentWithLeaseOperation', 'There is currently no lease on the blob.')
      setLease(containerName, name, undefined)
    },
  }
}

function sumOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}

function leaseMismatch(): StorageError {
  return new StorageError(
    409,
    'LeaseIdMismatchWithLeaseOperation',
    'The lease ID specified did not match the lease ID of the blob.',
  )
}
