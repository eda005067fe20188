import { showValue } from '../base/show-value.ts'
import { ServiceError, type ErrorCode, type WarningCode } from '../errors.ts'
import { findings } from '../findings/catalog.ts'
import { warningFindings } from '../findings/warning-findings.ts'

/** The cause and the fix of a code, for an operator. */
export interface Finding {
  /** A noun phrase in sentence case, without a final period. */
  readonly title: string
  /** Why it happens. */
  readonly cause: string
  /** The change to make. Begins with a verb. */
  readonly fix: string
}

/**
 * Title, cause and fix of a code of a {@link ServiceError} or a {@link Warning}.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` for any other text.
 */
export function finding(code: ErrorCode | WarningCode): Finding {
  const table = { ...findings, ...warningFindings }
  if (!Object.hasOwn(table, code)) {
    throw new ServiceError('ARGUMENT_INVALID', `code must be a code of the findings, but is ${showValue(code)}`)
  }
  const { title, cause, fix } = table[code]
  return { title, cause, fix }
}
