import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { BatchResults, BatchSettings } from './scan-batch.ts'

/** A thread that scans lists of files, one list at a time, with bounded memory. */
export interface ScanThread {
  /**
   * @param limitMs Milliseconds that may pass, and that the process may compute: on a busy machine a thread waits longer than it works.
   * Without it, the thread may take any time.
   * @throws when the thread runs out of memory or time; it cannot be used again.
   */
  scan(paths: readonly string[], limitMs?: number): Promise<BatchResults>
  end(): Promise<void>
}

export function startScanThread(settings: BatchSettings): ScanThread {
  const worker = new Worker(new URL('./scan-worker.ts', import.meta.url), {
    workerData: settings,
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
  })
  return {
    async scan(paths, limitMs) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
      worker.postMessage(paths)
      // Rejects with the thread's error.
      const answer = once(worker, 'message') as Promise<[BatchResults]>
      if (limitMs === undefined) return (await answer)[0]
      answer.catch(() => undefined)
      const start = process.cpuUsage()
      const timer = new AbortController()
      try {
        for (;;) {
          const pause = setTimeout(limitMs, undefined, { signal: timer.signal, ref: false }).catch(() => undefined)
          const results = await Promise.race([answer, pause])
          if (results !== undefined) return results[0]
          const { user, system } = process.cpuUsage(start)
          if (user + system >= limitMs * 1000) throw new Error('The thread exceeded its time')
        }
      } finally {
        timer.abort()
      }
    },
    async end() {
      // An error after the last request must not end the process.
      worker.on('error', () => undefined)
      await worker.terminate()
    },
  }
}
