/**
 * Waits for work until the signal aborts; then rejects with an AbortError. The work continues, because others need it or nothing can stop
 * it.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {}
  const ended = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new DOMException('The attempt has ended', 'AbortError'))
  })
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, ended])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
