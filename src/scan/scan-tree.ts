import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { CloudProfile } from '../lib/profile/cloud-profile.ts'
import { noCounts, type ScanCounts, type ShownFinding, type Unreadable } from './finding.ts'
import { listTree } from './list-files.ts'
import { createBatchScanner, emptyResults, type BatchResults, type BatchSettings } from './scan-batch.ts'

export interface ScanOptions {
  readonly paths: readonly string[]
  /** The cloud that the application is prepared for; without one, all clouds are foreign. */
  readonly profile?: CloudProfile
  /** Worker threads. Default: one a processor, at most four. */
  readonly threads?: number
  readonly onProgress?: (counts: ScanCounts) => void
}

export interface ScanResult {
  readonly root: string
  readonly findings: readonly ShownFinding[]
  readonly counts: ScanCounts
  readonly unreadable: readonly Unreadable[]
}

/** So many files begin a thread: it takes as long to start. */
const filesWorthThreads = 400

const batchSize = 256

/** Scans all files of a tree. The order of the findings is that of their paths, whoever found them. */
export async function scanTree({ paths, profile, threads, onProgress }: ScanOptions): Promise<ScanResult> {
  const tree = listTree(paths)
  const settings = { root: tree.root, ...(profile && { profile }) }
  const results = emptyResults()
  const scan = createBatchScanner({ ...settings, hasGrammars: true })
  const take = (part: BatchResults) => {
    for (const key of Object.keys(part.counts) as (keyof ScanCounts)[]) results.counts[key] += part.counts[key]
    for (const finding of part.findings) results.findings.push(finding)
    for (const each of part.unreadable) results.unreadable.push(each)
    onProgress?.(results.counts)
  }
  const batches = batchesOf(tree.files)
  const first: (readonly string[])[] = []
  for (let size = 0; size < filesWorthThreads; size += batchSize) {
    const { value, done } = await batches.next()
    if (done === true) break
    first.push(value)
  }
  const isSmall = first.reduce((sum, batch) => sum + batch.length, 0) < filesWorthThreads
  if (isSmall) {
    for (const batch of first) take(await scan(batch))
  } else {
    // One at a time: there is one set of grammars. The threads have counted these files, and told nothing of them.
    let turn = Promise.resolve()
    const takeDeferred = (part: BatchResults): Promise<void> => {
      take(part)
      if (part.deferred.length === 0) return Promise.resolve()
      turn = turn.then(async () => {
        const { findings, counts } = await scan(part.deferred)
        take({ ...emptyResults(), findings, counts: { ...noCounts(), ignored: counts.ignored } })
      })
      return turn
    }
    await scanWithThreads(chain(first, batches), settings, threads ?? Math.min(4, availableParallelism()), takeDeferred)
  }
  const findings = results.findings.sort(byPlace)
  const unreadable = [...results.unreadable, ...tree.unreadable].sort((a, b) => compare(a.path, b.path))
  return { root: tree.root, findings, counts: results.counts, unreadable }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function byPlace(a: ShownFinding, b: ShownFinding): number {
  return compare(a.path, b.path) || a.line - b.line || a.column - b.column || compare(a.rule, b.rule)
}

async function* batchesOf(files: AsyncIterable<string>): AsyncGenerator<readonly string[], undefined> {
  let batch: string[] = []
  for await (const path of files) {
    batch.push(path)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
  return undefined
}

async function* chain<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first
  yield* rest
}

/** Each thread is given its next batch when it has done one, so that no list of the whole tree is ever needed. */
async function scanWithThreads(
  batches: AsyncGenerator<readonly string[]>,
  settings: Omit<BatchSettings, 'hasGrammars'>,
  threads: number,
  take: (part: BatchResults) => Promise<void>,
): Promise<void> {
  const work = async () => {
    const worker = new Worker(new URL('./scan-worker.ts', import.meta.url), {
      workerData: { ...settings, hasGrammars: false } satisfies BatchSettings,
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
    })
    try {
      for (;;) {
        const { value, done } = await batches.next()
        if (done === true) return
        await take(await scanIn(worker, value))
      }
    } finally {
      await worker.terminate()
    }
  }
  await Promise.all(Array.from({ length: threads }, work))
}

function scanIn(worker: Worker, batch: readonly string[]): Promise<BatchResults> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: BatchResults) => {
      worker.off('error', reject)
      resolve(message)
    }
    worker.once('message', onMessage)
    worker.once('error', reject)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    worker.postMessage(batch)
  })
}
