import autocannon, { type Result } from 'autocannon'
import { answerParent } from './answer-parent.ts'

export interface LoadJob {
  readonly url: string
  /** How many requests to make. */
  readonly amount: number
  readonly connections: number
}

export interface LoadResult {
  /** Milliseconds from the first request to the last answer. */
  readonly duration: number
  readonly requestsPerSecond: number
}

// Makes requests on behalf of the benchmarks, so that neither they nor the server share a processor with it. An answer
// other than 2xx is an error: a server that fails fast must not look fast.
answerParent(async (message): Promise<LoadResult> => {
  const { url, amount, connections } = message as LoadJob
  const started = performance.now()
  let lastAnswer = started
  const { '2xx': answered, errors } = await new Promise<Result>((resolve, reject) => {
    const run = autocannon({ url, amount, connections, timeout: 10, sampleInt: 50 }, (error, result) =>
      error ? reject(error as Error) : resolve(result),
    )
    // Its own finish is rounded up to the sampling interval, hence the clock here.
    run.on('response', () => {
      lastAnswer = performance.now()
    })
  })
  if (answered !== amount || errors > 0) {
    throw new Error(`${url}: ${answered} of ${amount} requests answered 2xx, ${errors} errors`)
  }
  const duration = lastAnswer - started
  return { duration, requestsPerSecond: (amount / duration) * 1000 }
})
