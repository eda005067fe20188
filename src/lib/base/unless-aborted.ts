/** Gives up waiting for work that others need or that cannot be stopped. Rejects with an AbortError then. */
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
