import { stat } from 'node:fs/promises'

import { messageOf } from './start-error.ts'

/** Milliseconds. Files are polled, because a rotation of secrets replaces files or links, and some file systems report no event for that. */
const pollInterval = 500

/** A text that changes with any of the files. */
export async function identify(paths: readonly string[]): Promise<string> {
  const parts = paths.map(async (path) => {
    try {
      const { dev, ino, size, mtimeMs, ctimeMs } = await stat(path)
      return [dev, ino, size, mtimeMs, ctimeMs].join()
    } catch (error) {
      return messageOf(error)
    }
  })
  return (await Promise.all(parts)).join(' ')
}

/**
 * Calls `onPoll` twice a second with whether one of the files has changed since they were read. A change counts when the next poll finds the
 * same: who writes in several steps, or one file after the other, is not read halfway.
 *
 * @param seen The result of {@link identify} when the files were read.
 * @returns A function that ends it.
 */
export function watchFiles(
  paths: readonly string[],
  seen: string,
  onPoll: (hasChanged: boolean) => Promise<void> | void,
): () => void {
  let read = seen
  let last = seen
  let isPolling = false
  const timer = setInterval(() => {
    if (isPolling) return
    isPolling = true
    void poll().finally(() => (isPolling = false))
  }, pollInterval)
  timer.unref()
  return () => clearInterval(timer)

  async function poll(): Promise<void> {
    const identity = await identify(paths)
    const hasChanged = identity === last && identity !== read
    last = identity
    if (hasChanged) read = identity
    await onPoll(hasChanged)
  }
}
