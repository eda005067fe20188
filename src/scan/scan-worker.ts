import { parentPort, workerData } from 'node:worker_threads'
import { createBatchScanner, type BatchSettings } from './scan-batch.ts'

/** The entry of a thread: scans each list of files that it is given, and answers with what was found. */
const scan = createBatchScanner(workerData as BatchSettings)

parentPort?.on('message', (paths: readonly string[]) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  void scan(paths).then((results) => parentPort?.postMessage(results))
})
