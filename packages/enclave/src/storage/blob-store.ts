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
  PathConflict: [409, 'The path, or an element of it, exists and its resource type is invalid for this operation.'],
  DirectoryNotEmpty: [409, 'The recursive query parameter must be true to delete a directory that is not empty.'],
  DestinationNotEmpty: [409, 'The destination of the rename is a directory that is not empty.'],
  SourcePathNotFound: [404, 'The source path for a rename operation does not exist.'],
  RenameDestinationParentPathNotFound: [404, 'The parent directory of the destination path does not exist.'],
  InvalidRenameSourcePath: [409, 'The destination of a rename must not be its source or in its source.'],
  InvalidFlushPosition: [400, 'The appended data is not contiguous, or the position is not the length of the file.'],
  RequestBodyTooLarge: [413, 'The request body is too large.'],
  NotImplemented: [501, 'The enclave does not support this operation.'],
} as const

/** A refusal of the storage account, with a code of the real service. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code: keyof typeof refusals
  readonly status: number
  /** For the status line, where pyarrow looks for it. */
  readonly reason: string

  constructor(code: keyof typeof refusals, message: string = refusals[code][1], status: number = refusals[code][0]) {
    super(message)
    this.code = code
    this.status = status
    this.reason = refusals[code][1]
  }
}

/** For use in an expression. @throws {StorageError} */
export function refuse(code: StorageError['code']): never {
  throw new StorageError(code)
}

export function unsupported(operation: string): StorageError {
  const supported = 'containers, block blobs, copies within the account, ranges, metadata, leases and directories'
  return new StorageError(
    'NotImplemented',
    `The enclave does not support ${operation}. Its storage has ${supported}. For other operations of blobs, start it with --azurite.`,
  )
}

interface Lease {
  readonly id: string
  /** -1 for an infinite lease, 0 for a broken one. */
  readonly seconds: number
  readonly expiresAt: number
}

export type LeaseAction = 'acquire' | 'renew' | 'release' | 'break'

export interface BlobFacts {
  /** Headers such as Content-Type. */
  readonly properties: Readonly<Record<string, string>>
  /** Names without the prefix `x-ms-meta-`. */
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
  /** Uncommitted blocks by blob and id. */
  readonly blocks: Map<string, Map<string, Buffer>>
}

/** Limits, because all content is in memory. */
export const maxBytes = 256 * 1024 * 1024
export const maxEntries = 20_000

type BlobAddress = readonly [container: string, name: string]

export type BlobStore = ReturnType<typeof createBlobStore>

/** The operations on one blob, which may not exist. */
export type StoredBlob = ReturnType<BlobStore['blob']>

/** The containers and block blobs of one storage account, in memory. */
export function createBlobStore(now: () => number) {
  const containers = new Map<string, Container>()
  let changes = 0
  const stamp = () => ({ etag: `"0x8D${(++changes).toString(16).toUpperCase().padStart(12, '0')}"`, modifiedAt: now() })
  const container = (name: string): Container => containers.get(name) ?? refuse('ContainerNotFound')
  const activeLease = ({ lease }: Blob): Lease | undefined =>
    lease !== undefined && lease.expiresAt > now() ? lease : undefined
  const expectRoom = (added: number, replaced = 0): void => {
    const parts = [...containers.values()].flatMap(({ blobs, blocks }) => [
      ...[...blobs.values()].map(({ content }) => content),
      ...[...blocks.values()].flatMap((each) => [...each.values()]),
    ])
    if (sumOf(parts) + added - replaced <= maxBytes && containers.size + parts.length < maxEntries) return
    throw new StorageError(
      'RequestBodyTooLarge',
      `The enclave stores at most ${maxBytes} bytes in ${maxEntries} containers, blobs and blocks.`,
    )
  }

  return {
    now,
    container,
    containers: containers as ReadonlyMap<string, Container>,
    activeLease,
    createContainer(name: string): Container {
      if (containers.has(name)) throw new StorageError('ContainerAlreadyExists')
      expectRoom(0)
      const created: Container = { ...stamp(), blobs: new Map(), blocks: new Map() }
      containers.set(name, created)
      return created
    },
    deleteContainer(name: string): void {
      container(name)
      containers.delete(name)
    },
    /** Moves a blob over one that the caller may replace. A lease belongs to the path and stays there. */
    move([fromContainer, from]: BlobAddress, [toContainer, to]: BlobAddress): void {
      const [source, target] = [container(fromContainer), container(toContainer)]
      const moved = { ...(source.blobs.get(from) ?? refuse('BlobNotFound')), lease: target.blobs.get(to)?.lease }
      for (const [{ blobs, blocks }, name] of [[source, from] as const, [target, to] as const]) {
        blobs.delete(name)
        blocks.delete(name)
      }
      target.blobs.set(to, moved)
    },
    /** @param leaseId The lease of the request. A change is refused if another lease is active, or this lease isn't. */
    blob(containerName: string, name: string, leaseId?: string) {
      const { blobs, blocks } = container(containerName)
      const find = (): Blob | undefined => blobs.get(name)
      const existing = (): Blob => find() ?? refuse('BlobNotFound')
      const uncommitted = (): ReadonlyMap<string, Buffer> => blocks.get(name) ?? new Map<string, Buffer>()
      const save = (blob: Blob): Blob => {
        blobs.set(name, blob)
        return blob
      }
      const expectWritable = (): void => {
        const blob = find()
        const active = blob && activeLease(blob)
        if (blob === undefined || active?.id === leaseId) return
        if (active === undefined) throw new StorageError('LeaseNotPresentWithBlobOperation')
        throw new StorageError(leaseId === undefined ? 'LeaseIdMissing' : 'LeaseIdMismatchWithBlobOperation')
      }

      return {
        find,
        existing,
        uncommitted,
        expectWritable,
        /** Replaces the content, and removes the uncommitted blocks. A part may appear several times. */
        put(parts: readonly Buffer[], given: BlobFacts): Blob {
          const before = find()
          expectWritable()
          expectRoom(sumOf(parts), sumOf([...uncommitted().values()]) + (before?.content.length ?? 0))
          blocks.delete(name)
          const { createdAt = now(), lease } = before ?? {}
          const content = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
          return save({ ...stamp(), content, createdAt, lease, ...given })
        },
        putBlock(id: string, content: Buffer): void {
          expectWritable()
          expectRoom(content.length, uncommitted().get(id)?.length)
          blocks.set(name, new Map(uncommitted()).set(id, content))
        },
        update(given: Partial<BlobFacts>): Blob {
          expectWritable()
          return save({ ...existing(), ...stamp(), ...given })
        },
        delete(): void {
          existing()
          expectWritable()
          blobs.delete(name)
          blocks.delete(name)
        },
        /** Returns the lease after the change. A renewed lease keeps its duration, and a broken one is active until its period ends. */
        lease(action: LeaseAction, wanted: Pick<Lease, 'id' | 'seconds'>): Lease | undefined {
          const blob = existing()
          const active = activeLease(blob)
          if (action === 'acquire') {
            if (active !== undefined && active.id !== wanted.id) throw new StorageError('LeaseAlreadyPresent')
            if (wanted.seconds !== -1 && !(wanted.seconds >= 15 && wanted.seconds <= 60))
              throw new StorageError('InvalidHeaderValue', 'x-ms-lease-duration must be -1, or 15 to 60 seconds.')
          } else if (action === 'break') {
            if (active === undefined) throw new StorageError('LeaseNotPresentWithLeaseOperation')
            const left = (active.expiresAt - now()) / 1000
            const period = wanted.seconds >= 0 ? Math.min(wanted.seconds, left) : left === Infinity ? 0 : left
            return save({ ...blob, lease: { id: active.id, seconds: 0, expiresAt: now() + period * 1000 } }).lease
          } else if (blob.lease?.id !== leaseId || (action === 'renew' && blob.lease?.seconds === 0)) {
            throw new StorageError('LeaseIdMismatchWithLeaseOperation')
          }
          const next = { acquire: wanted, renew: blob.lease, release: undefined }[action]
          const end = next?.seconds === -1 ? Infinity : now() + (next?.seconds ?? 0) * 1000
          return save({ ...blob, lease: next && { ...next, expiresAt: end } }).lease
        },
      }
    },
  }
}

function sumOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}
