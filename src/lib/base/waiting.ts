/** A cache of asynchronous results by key. Concurrent callers of a key share one call. */
export interface SingleFlightCache<T> {
  /** Returns the pending or valid result; otherwise calls `load`. A cache of one value needs no key. */
  get(load: () => Promise<T>, key?: string): Promise<T>
  /** Limits the reuse of the present result to this many more milliseconds. */
  shorten(ms: number, key?: string): void
  /** Forgets the result: the next caller starts a new call. */
  delete(key: string): void
}

export interface SingleFlightCacheOptions<T> {
  /** Milliseconds for which a result is reused after it arrives. 0 disables reuse. Default is forever. */
  readonly ttlMs?: number | ((result: T) => number)
  /** How many keys are remembered; the oldest entries go first. Default is 100. */
  readonly maxEntries?: number
  /** Milliseconds by a clock that is never set. Default is `performance.now`. */
  readonly now?: () => number
}

/**
 * Makes one call for all concurrent callers and caches its result. A failure reaches all waiting callers and is not cached, so that the
 * next caller tries again. Ages need a monotonic clock: setting the wall clock back would freeze them.
 */
export function singleFlightCache<T>({
  ttlMs = Infinity,
  maxEntries = 100,
  now = () => performance.now(),
}: SingleFlightCacheOptions<T> = {}): SingleFlightCache<T> {
  const entries = new Map<string, { readonly answer: Promise<T>; until: number }>()
  const ttlOf = typeof ttlMs === 'number' ? () => ttlMs : ttlMs
  return {
    get(load, key = '') {
      const known = entries.get(key)
      if (known !== undefined && now() < known.until) return known.answer
      const entry = { answer: load(), until: Number.POSITIVE_INFINITY }
      entries.delete(key)
      entries.set(key, entry)
      const oldest = entries.size > maxEntries ? entries.keys().next().value : undefined
      if (oldest !== undefined) entries.delete(oldest)
      entry.answer.then(
        (result) => (entry.until = now() + ttlOf(result)),
        () => (entry.until = Number.NEGATIVE_INFINITY),
      )
      return entry.answer
    },
    delete: (key) => void entries.delete(key),
    shorten(ms, key = '') {
      const entry = entries.get(key)
      if (entry !== undefined && Number.isFinite(entry.until)) entry.until = Math.min(entry.until, now() + ms)
    },
  }
}

/** A signal of any kind: the platform's, or that of a library, which may have no reason. */
export interface AbortSignalLike {
  readonly aborted: boolean
  readonly reason?: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * Waits for work until the signal aborts; then rejects with an AbortError. The work continues, because others need it or nothing can stop
 * it.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignalLike): Promise<T> {
  let stop = () => {}
  const ended = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new DOMException('The attempt has ended', 'AbortError'))
  })
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([work, ended])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/**
 * Waits for work at most this many milliseconds. The work itself continues. @throws The error of the work, or an error that it did not
 * finish in time.
 */
export function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`it did not end within ${timeoutMs} ms.`))
    }, timeoutMs)
    // Work that never ends must not keep the process alive.
    timer.unref()
    const settle = <V>(settled: (value: V) => void) => {
      return (value: V) => {
        clearTimeout(timer)
        settled(value)
      }
    }
    work.then(settle(resolve), settle(reject))
  })
}
