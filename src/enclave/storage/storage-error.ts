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
