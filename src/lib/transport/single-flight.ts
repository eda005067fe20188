/**
 * Runs work once for all who ask at the same time, and keeps its result for a while.
 *
 * @param reuseMs Milliseconds a result is reused; 0 for not at all.
 */
export function singleFlight<T>(
  work: () => Promise<T>,
  reuseMs: (result: T) => number,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let running: Promise<T> | undefined
  let kept: { readonly result: T; readonly until: number } | undefined
  return () => {
    if (kept !== undefined && now() < kept.until) return Promise.resolve(kept.result)
    running ??= work()
      .then((result) => {
        kept = { result, until: now() + reuseMs(result) }
        return result
      })
      .finally(() => {
        running = undefined
      })
    return running
  }
}
