import type { ErrorCode, ServiceError } from '../errors.ts'
import { Attempt, type AttemptOptions, type TraceStep } from '../transport/attempt.ts'
import { toTokenError } from './token-error.ts'

/** The outcome of an attempt. */
export interface EndedAttempt {
  readonly durationMs: number
  /** Its requests, in order. */
  readonly steps: readonly TraceStep[]
  /** Why there is no token; absent when there is one. */
  readonly code?: ErrorCode
}

/**
 * Runs work as one attempt.
 *
 * @param onEnd Called when the attempt ended, failed or not.
 * @throws {ServiceError} whose code says why there is no token.
 */
export async function runTokenAttempt<T>(
  { onEnd, ...options }: AttemptOptions & { readonly onEnd?: ((ended: EndedAttempt) => void) | undefined },
  work: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const started = performance.now()
  const attempt = new Attempt(options)
  let failure: ServiceError | undefined
  try {
    return await attempt.run(() => work(attempt))
  } catch (error) {
    failure = toTokenError(error, attempt)
    throw failure
  } finally {
    const durationMs = Math.round(performance.now() - started)
    onEnd?.({ durationMs, steps: attempt.steps, ...(failure && { code: failure.code }) })
  }
}
