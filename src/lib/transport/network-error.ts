import { ServiceError, type ServiceErrorOptions, type NetworkFault, type NetworkRole } from '../errors.ts'

/** A failure on the way to one host, or of its answer, before anyone looked at what it says. */
export class NetworkError extends ServiceError {
  readonly role: NetworkRole
  readonly fault: NetworkFault
  /** Milliseconds the other side asked to wait (Retry-After). */
  readonly retryAfterMs: number | undefined

  constructor(
    role: NetworkRole,
    fault: NetworkFault,
    message: string,
    { retryAfterMs, ...options }: ServiceErrorOptions & { readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(`${role}_${fault}`, message, options)
    this.role = role
    this.fault = fault
    this.retryAfterMs = retryAfterMs
  }
}
