import type { FindingCode } from './findings/catalogue.ts'
import type { warningFindings } from './findings/warning-findings.ts'

export type { NetworkErrorCode, NetworkFault, NetworkRole } from './findings/network-findings.ts'

/** A code of {@link ServiceError}: a row of the findings. Codes are stable; messages are for people and may change. */
export type ErrorCode = FindingCode

/** The values that prove a failure, by name, such as `issuer`. Text of other systems; never a secret. */
export type Evidence = Readonly<Record<string, string>>

export interface ServiceErrorOptions extends ErrorOptions {
  /** Undefined values are left out. */
  readonly evidence?: Readonly<Record<string, string | undefined>> | undefined
}

/** A failure this service expects and can explain. `code` is stable; `message` is for people and never holds a secret. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly evidence?: Evidence

  constructor(code: ErrorCode, message: string, { evidence, ...options }: ServiceErrorOptions = {}) {
    super(message, options)
    this.code = code
    const known = Object.entries(evidence ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined)
    if (known.length > 0) this.evidence = Object.fromEntries(known)
  }
}

/**
 * Tells our own errors from all others by shape: the bundle and its lazy chunk each carry a copy of the class,
 * so `instanceof` would not hold across them.
 */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && error.name === 'ServiceError' && 'code' in error
}

/** Something an operator should know that does not stop the service. */
export interface Warning {
  readonly code: WarningCode
  readonly message: string
}

/** A code of {@link Warning}: a row of the warnings among the findings. */
export type WarningCode = keyof typeof warningFindings
