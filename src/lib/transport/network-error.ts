import { ServiceError, type ServiceErrorOptions, type NetworkFault, type NetworkRole } from '../errors.ts'

/** Faults of the moment: the host, the network or the DNS server may recover by itself. */
const transientFaults: ReadonlySet<NetworkFault> = new Set([
  'DNS_UNAVAILABLE',
  'UNREACHABLE',
  'TIMEOUT',
  'RESET',
  'THROTTLED',
  'HTTP_ERROR',
])

/** A failure to reach one host, or a response that is invalid whatever its body says. */
export class NetworkError extends ServiceError {
  readonly role: NetworkRole
  readonly fault: NetworkFault
  /** Milliseconds the other side asked to wait (Retry-After). */
  readonly retryAfterMs: number | undefined
  /** HTTP status, when there was an answer. */
  readonly status: number | undefined

  constructor(
    role: NetworkRole,
    fault: NetworkFault,
    message: string,
    {
      retryAfterMs,
      status,
      ...options
    }: ServiceErrorOptions & { readonly retryAfterMs?: number | undefined; readonly status?: number } = {},
  ) {
    super(`${role}_${fault}`, message, options)
    this.role = role
    this.fault = fault
    this.retryAfterMs = retryAfterMs
    this.status = status
  }

  override get isTransient(): boolean {
    return transientFaults.has(this.fault)
  }
}
