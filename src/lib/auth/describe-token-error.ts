import { isServiceError, ServiceError } from '../errors.ts'
import type { Attempt } from '../transport/attempt.ts'
import type { AuthMode } from './auth-mode.ts'

interface FailedAttempt {
  readonly plan: { readonly mode: AuthMode }
  readonly attempt: Attempt
  readonly cancelled: boolean
  readonly timeoutMs: number
}

/**
 * Says why an attempt failed. The library gives one opaque text for a dozen causes, and its messages may quote what the
 * other side sent; so the transport's own account comes first, and the library's text is never passed on.
 */
export function describeTokenError(
  error: unknown,
  { plan, attempt, cancelled, timeoutMs }: FailedAttempt,
): ServiceError {
  const options = { cause: error }
  if (cancelled) return new ServiceError('TOKEN_CANCELLED', 'The attempt was cancelled by its caller', options)
  const ours = findServiceError(error)
  if (ours !== undefined && ours.code !== 'TOKEN_TIMEOUT') return ours
  if (isServiceError(attempt.failure)) return attempt.failure
  if (ours !== undefined || attempt.signal.aborted) {
    return new ServiceError('TOKEN_TIMEOUT', `No token within ${timeoutMs} ms (PLATFORM_TOKEN_TIMEOUT_MS)`, options)
  }
  return describeByMode(plan.mode, error)
}

/** The causes of an error, outermost first. The library wraps up to three deep. */
function findServiceError(error: unknown, depth = 0): ServiceError | undefined {
  if (isServiceError(error)) return error
  return error instanceof Error && depth < 5 ? findServiceError(error.cause, depth + 1) : undefined
}

/** What is left: failures that made no request, or whose answer the library itself did not like. */
function describeByMode(mode: AuthMode, error: unknown): ServiceError {
  const options = { cause: error }
  switch (mode) {
    case 'clientCertificate':
      return new ServiceError(
        'CREDENTIAL_FILE_UNREADABLE',
        'The file that PLATFORM_CLIENT_CERTIFICATE_PATH names holds no usable PEM certificate with its private key (or the password is wrong)',
        options,
      )
    case 'managedIdentity':
      return new ServiceError('MANAGED_IDENTITY_UNAVAILABLE', 'This host gave no managed identity token', options)
    case 'deviceCode':
      return new ServiceError('DEVICE_CODE_EXPIRED', 'The sign-in ended without a token', options)
    case 'workloadIdentity':
    case 'clientSecret':
    case 'usernamePassword':
      return new ServiceError(
        'TOKEN_RESPONSE_INVALID',
        'The credential library could not use the answer of the login authority',
        options,
      )
    case 'platformCli':
    case 'default':
      return new ServiceError('UNEXPECTED', 'The token attempt failed for a reason this service does not know', options)
    default:
      return mode satisfies never
  }
}
