/** A code of {@link ServiceError}. Codes are stable; messages are for people and may change. */
export type ErrorCode = 'UNSUPPORTED_CLOUD'

/** A failure this service expects and can explain. `code` is stable; `message` is for people. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
