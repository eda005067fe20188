/** Calls `load` once for all callers. If it fails, every waiting caller gets the error, and the next caller tries again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    const pending = (loaded ??= load())
    pending.catch(() => {
      if (loaded === pending) loaded = undefined
    })
    return pending
  }
}

/** An abort signal of the platform or of a library. A library's signal may have no reason. */
export interface AbortSignalLike {
  readonly aborted: boolean
  readonly reason?: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** Waits for work until the signal aborts, then rejects with an AbortError. The work continues, because other callers may need it. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignalLike): Promise<T> {
  const ended = Promise.withResolvers<never>()
  const stop = () => ended.reject(new DOMException('The attempt has ended', 'AbortError'))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([work, ended.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Waits for work, at most `timeoutMs` milliseconds. The work continues after that. @throws The error of the work, or of the timeout. */
export function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    // Work that never ends must not keep the process alive.
    const timer = setTimeout(() => reject(new Error(`it did not end within ${timeoutMs} ms.`)), timeoutMs).unref()
    void work.then(resolve, reject).then(() => clearTimeout(timer))
  })
}

/** Converts any abort signal to the platform's. */
export function toAbortSignal(signal: AbortSignalLike): AbortSignal {
  if (signal instanceof AbortSignal) return signal
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  return controller.signal
}
