import { stat } from 'node:fs/promises'

import { messageOf } from './start-error.ts'

/** Milliseconds. Files are polled, because a rotation of secrets replaces files or links, and some file systems report no event for that. */
const pollInterval = 500

/** A text that changes with any of the files. */
export async function identify(paths: readonly string[]): Promise<string> {
  const parts = paths.map((path) =>
    stat(path).then(({ dev, ino, size, mtimeMs, ctimeMs }) => [dev, ino, size, mtimeMs, ctimeMs].join(), messageOf),
  )
  return (await Promise.all(parts)).join(' ')
}

export interface FileWatch {
  /** Reads the files. An error is reported once, and each poll reads them again, because the reason may be temporary. */
  readonly onChange: () => Promise<void> | void
  /** Called once for each change that cannot be used. */
  readonly onFailure: (error: unknown) => void
  /** Called after each poll. */
  readonly onPoll?: () => void
}

/**
 * Calls `onChange` when one of the files has changed since they were read. A change counts when the next poll finds the same state, so that
 * files that are written in several steps aren't read halfway.
 *
 * @param seen The result of {@link identify} when the files were read.
 * @returns A function that ends it.
 */
export function watchFiles(paths: readonly string[], seen: string, watch: FileWatch): () => void {
  let read = seen
  let last = seen
  let reported: string | undefined
  const poll = async () => {
    const identity = await identify(paths)
    const isStable = identity === last
    last = identity
    if (isStable && identity !== read) {
      try {
        await watch.onChange()
        read = identity
      } catch (error) {
        if (reported !== identity) watch.onFailure(error)
        reported = identity
      }
    }
    watch.onPoll?.()
    if (!isStopped) timer.refresh()
  }
  let isStopped = false
  const timer = setTimeout(() => void poll(), pollInterval).unref()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
