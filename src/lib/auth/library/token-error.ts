import { isServiceError, ServiceError } from '../../errors.ts'
import type { Attempt } from '../../transport/attempt.ts'
import type { Failure } from '../modes/mode.ts'

const unexpected: Failure = {
  code: 'UNEXPECTED',
  message: 'The token attempt failed for an unknown reason',
}

/**
 * Explains why an attempt failed. The library gives one opaque text for a dozen causes, and its messages may quote the response, so the
 * failure that the transport recorded comes first, and the library's text is never passed on.
 *
 * @param otherwise The error if no request failed.
 */
export function toTokenError(error: unknown, attempt: Attempt, otherwise: Failure = unexpected): ServiceError {
  const options = { cause: error }
  if (attempt.promptFailure !== undefined) return attempt.promptFailure
  const ours = findServiceError(error)
  if (attempt.isPrompted && attempt.signal.aborted) {
    return new ServiceError('DEVICE_CODE_EXPIRED', 'Nobody approved the sign-in before its code expired', options)
  }
  if (ours !== undefined && ours.code !== 'TOKEN_TIMEOUT') return ours
  if (isServiceError(attempt.failure)) return attempt.failure
  if (ours !== undefined || attempt.signal.aborted) {
    const message = `No token within ${attempt.timeoutMs} ms (PLATFORM_TOKEN_TIMEOUT_MS)`
    return new ServiceError('TOKEN_TIMEOUT', message, options)
  }
  return new ServiceError(otherwise.code, otherwise.message, options)
}

/** The first ServiceError among the causes of an error. The library wraps up to three deep. */
function findServiceError(error: unknown, depth = 0): ServiceError | undefined {
  if (isServiceError(error)) return error
  return error instanceof Error && depth < 5 ? findServiceError(error.cause, depth + 1) : undefined
}
