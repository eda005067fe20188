import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { BatchResults, BatchSettings } from './scan-batch.ts'

/** A thread that scans lists of files, one list at a time, with bounded memory. */
export interface ScanThread {
  /**
   * @param timeoutMs Without it, the thread may take any time.
   * @throws when the thread runs out of memory or time; then it is of no more use.
   */
  scan(paths: readonly string[], timeoutMs?: number): Promise<BatchResults>
  end(): Promise<void>
}

export function startScanThread(settings: BatchSettings): ScanThread {
  const worker = new Worker(new URL('./scan-worker.ts', import.meta.url), {
    workerData: settings,
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
  })
  return {
    async scan(paths, timeoutMs) {
      const signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
      worker.postMessage(paths)
      // Rejects with the thread's error, and when the time is up.
      const [results] = (await once(worker, 'message', signal && { signal })) as [BatchResults]
      return results
    },
    async end() {
      // An error after the last request must not end the process.
      worker.on('error', () => undefined)
      await worker.terminate()
    },
  }
}
