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
