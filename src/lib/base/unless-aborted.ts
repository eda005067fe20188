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
