import { printable } from '../lib/base/printable.ts'
import { isServiceError, ServiceError } from '../lib/errors.ts'

/** Whether a cloud gave no valid metadata. A profile without a metadata endpoint is a configuration error instead. */
export function isMetadataFailure(error: unknown): error is ServiceError {
  return isServiceError(error) && error.code.startsWith('METADATA_') && error.code !== 'METADATA_NOT_CONFIGURED'
}

/**
 * Adds cause and fix to the failure of a request for metadata. Other errors pass through unchanged.
 *
 * @param address Replaces the field of the profile in the fix, if the address of the request comes from elsewhere.
 */
export async function explainFailure(error: unknown, address?: string): Promise<never> {
  if (!isMetadataFailure(error)) throw error
  // The table of findings is large, and most runs do not need it.
  const { findingOf, fixOf } = await import('../lib/findings/explain.ts')
  const { code, message } = error
  const { text, cause = findingOf(code).cause } = fixOf(error, address === undefined ? undefined : { address })
  throw new ServiceError(code, `${code}: ${printable(message)}\nCause: ${cause}\nFix:   ${text}`, { cause: error })
}
