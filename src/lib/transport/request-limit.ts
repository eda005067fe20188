import type { PipelineRequest } from '@azure/core-rest-pipeline'

type Signal = NonNullable<PipelineRequest['abortSignal']>

/** The end of one request: by its own time-out, with what it is a part of, or because it is given up. */
export interface RequestLimit {
  readonly signal: AbortSignal
  abort(): void
  /** To be called when the request is over, or its timer and listeners would outlive it. */
  release(): void
}

/**
 * Milliseconds that one answer may take: half of what the whole work may, so that a slow link is a matter of one setting, and 5 s at
 * least.
 */
export function longestAnswerMs(deadlineMs = 0): number {
  return Math.max(5000, deadlineMs / 2)
}

/**
 * As `AbortSignal.any` with `AbortSignal.timeout`, but released with the request: those live on until the time-out, and the garbage
 * collection of many of them costs more than the requests themselves.
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
