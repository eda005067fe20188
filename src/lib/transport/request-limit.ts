import type { PipelineRequest } from '@azure/core-rest-pipeline'

type Signal = NonNullable<PipelineRequest['abortSignal']>

/** Ends one request: at its own time-out, with its attempt, or by `abort`. */
export interface RequestLimit {
  readonly signal: AbortSignal
  abort(): void
  /** Must be called when the request ended: its timer and listeners would outlive it. */
  release(): void
}

/** Milliseconds of one response: half of the deadline, so that one setting allows for a slow link, and at least 5 s. */
export function longestAnswerMs(deadlineMs = 0): number {
  return Math.max(5000, deadlineMs / 2)
}

/**
 * Like `AbortSignal.any` with `AbortSignal.timeout`, but released with the request. Those live until the time-out, and the garbage
 * collection of many costs more than the requests.
 *
 * @param timeoutMs Milliseconds from now.
 * @param outer Undefined ones are left out.
 */
export function limitRequest(timeoutMs: number, outer: readonly (Signal | undefined)[]): RequestLimit {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  for (const signal of outer) {
    if (signal?.aborted === true) abort()
    signal?.addEventListener('abort', abort)
  }
  return {
    signal: controller.signal,
    abort,
    release() {
      clearTimeout(timer)
      for (const signal of outer) signal?.removeEventListener('abort', abort)
    },
  }
}
