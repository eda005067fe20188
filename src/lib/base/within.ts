/** Waits for work, but not longer. The work goes on by itself. @throws What it threw, or that it did not end within so many milliseconds. */
export function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`it did not end within ${timeoutMs} ms.`))
    }, timeoutMs)
    // Work that never ends must not keep a stopped process.
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
