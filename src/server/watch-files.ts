import { stat } from 'node:fs/promises'

import type { WriteLog } from './log.ts'
import { messageOf } from './start-error.ts'

/** Milliseconds. Files are polled, because some file systems report no event when a rotation replaces a file or link. */
const pollInterval = 500

/** Returns a text that differs after a change of any of the files. */
export async function identify(paths: readonly string[]): Promise<string> {
  const parts = paths.map((path) =>
    stat(path).then(({ dev, ino, size, mtimeMs, ctimeMs }) => [dev, ino, size, mtimeMs, ctimeMs].join(), messageOf),
  )
  return (await Promise.all(parts)).join(' ')
}

export interface FileWatch {
  /** What the files contain. */
  readonly what: 'key' | 'certificate'
  /** Reports a change once if its `onChange` fails. */
  readonly log: WriteLog
  /** Reads the files. If it fails, each poll tries again, because the reason may be temporary. */
  readonly onChange: () => Promise<void> | void
}

/**
 * Calls `onChange` after a change of the files. It waits until two polls find the same state, so that half-written files aren't read.
 *
 * @param seen The result of {@link identify} before the files were read.
 * @returns A function that stops watching.
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
        const message = `The server keeps the previous ${watch.what}, because the new one is not usable. ${messageOf(error)}`
        if (reported !== identity) watch.log({ level: 'error', category: 'server', message })
        reported = identity
      }
    }
    if (!isStopped) timer.refresh()
  }
  let isStopped = false
  const timer = setTimeout(() => void poll(), pollInterval).unref()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
