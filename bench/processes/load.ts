import autocannon, { type Result } from 'autocannon'
import { respondToParent } from './respond-to-parent.ts'

export interface LoadJob {
  readonly url: string
  /** The number of requests. */
  readonly amount: number
  readonly connections: number
}

export interface LoadResult {
  /** Milliseconds from the first request to the last response. */
  readonly duration: number
  readonly requestsPerSecond: number
}

// Makes the requests of the benchmarks in a separate process, so that it doesn't share a processor with the server. A status other than 2xx is an
// error, because a server that fails fast must not look fast.
respondToParent(async (message): Promise<LoadResult> => {
  const { url, amount, connections } = message as LoadJob
  const started = performance.now()
  let lastResponse = started
  const { '2xx': succeeded, errors } = await new Promise<Result>((resolve, reject) => {
    const run = autocannon({ url, amount, connections, timeout: 10, sampleInt: 50 }, (error, result) =>
      error ? reject(error as Error) : resolve(result),
    )
    // autocannon rounds its end up to the sampling interval, so the end is measured here.
    run.on('response', () => {
      lastResponse = performance.now()
    })
  })
  if (succeeded !== amount || errors > 0) {
    throw new Error(`${url}: ${succeeded} of ${amount} responses had status 2xx, ${errors} errors`)
  }
  const duration = lastResponse - started
  return { duration, requestsPerSecond: (amount / duration) * 1000 }
})
