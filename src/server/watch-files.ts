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

export interface FileWatch {
  /** Reads the files. What it throws is reported once, and the files are read again at each poll: a descriptor or the clock may have been missing. */
  readonly onChange: () => Promise<void> | void
  /** Called once for each change that cannot be used. */
  readonly onFailure: (error: unknown) => void
  /** Called after each poll. */
  readonly onPoll?: () => void
}

/**
 * Calls `onChange` when one of the files has changed since they were read. A change counts when the next poll finds the same: who writes in
 * several steps, or one file after the other, is not read halfway.
 *
 * @param seen The result of {@link identify} when the files were read.
 * @returns A function that ends it.
 */
export function watchFiles(paths: readonly string[], seen: string, watch: FileWatch): () => void {
  let read = seen
  let last = seen
  let reported: string | undefined
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
    const isStable = identity === last
    last = identity
    if (isStable && identity !== read) await change(identity)
    watch.onPoll?.()
  }

  async function change(identity: string): Promise<void> {
    try {
      await watch.onChange()
      read = identity
    } catch (error) {
      if (reported !== identity) watch.onFailure(error)
      reported = identity
    }
  }
}
