import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import type { CloudProfile } from '../lib/profile/cloud-profile.ts'
import { noCounts, type ScanCounts, type ShownFinding, type Unchecked } from './finding.ts'
import { listTree } from './list-files.ts'
import { createParsingThread } from './parsing-thread.ts'
import { createBatchScanner, emptyResults, type BatchResults, type BatchSettings } from './scan-batch.ts'
import { startScanThread } from './scan-thread.ts'

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
  readonly unreadable: readonly Unchecked[]
  /** Files that were not checked completely. */
  readonly incomplete: readonly Unchecked[]
}

/** So many files begin a thread: it takes as long to start. */
const filesWorthThreads = 400

const batchSize = 256

/** Scans all files of a tree. The order of the findings is that of their paths, whoever found them. */
export async function scanTree({ paths, profile, threads, onProgress }: ScanOptions): Promise<ScanResult> {
  // The young generation of the heap would grow to 128 MB. Of V8's flags for it only this one works after the start.
  setFlagsFromString('--semi-space-growth-factor=1')
  const tree = listTree(paths)
  const settings = { root: tree.root, ...(profile && { profile }) }
  const results = emptyResults()
  const parser = createParsingThread(settings)
  const add = (part: BatchResults) => {
    for (const key of Object.keys(part.counts) as (keyof ScanCounts)[]) results.counts[key] += part.counts[key]
    for (const finding of part.findings) results.findings.push(finding)
    for (const each of part.unreadable) results.unreadable.push(each)
    for (const each of part.incomplete) results.incomplete.push(each)
    onProgress?.(results.counts)
  }
  // One file at a time: there is one set of grammars. The other threads do not wait for it.
  let parsing = Promise.resolve()
  const parse = async (paths: readonly string[]) => {
    for (const path of paths) {
      const { findings, incomplete, counts } = await parser.scan(path)
      // The file was counted where it was deferred.
      add({ ...emptyResults(), findings, incomplete, counts: { ...noCounts(), ignored: counts.ignored } })
    }
  }
  const take = (part: BatchResults) => {
    add(part)
    if (part.deferred.length === 0) return
    parsing = parsing.then(() => parse(part.deferred))
    // Reported at the end.
    parsing.catch(() => undefined)
  }
  try {
    const batches = batchesOf(tree.files)
    const first: (readonly string[])[] = []
    for (let size = 0; size < filesWorthThreads; size += batchSize) {
      const { value, done } = await batches.next()
      if (done === true) break
      first.push(value)
    }
    const isSmall = first.reduce((sum, batch) => sum + batch.length, 0) < filesWorthThreads
    if (isSmall) {
      const scan = createBatchScanner({ ...settings, grammars: 'deferred' })
      for (const batch of first) take(await scan(batch))
    } else {
      await scanWithThreads(chain(first, batches), settings, threads ?? Math.min(4, availableParallelism()), take)
    }
    await parsing
  } finally {
    await parser.end()
  }
  const findings = results.findings.sort(byPlace)
  const byPath = (a: Unchecked, b: Unchecked) => compare(a.path, b.path)
  const unreadable = [...results.unreadable, ...tree.unreadable].sort(byPath)
  return { root: tree.root, findings, counts: results.counts, unreadable, incomplete: results.incomplete.sort(byPath) }
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
  settings: Omit<BatchSettings, 'grammars'>,
  threads: number,
  take: (part: BatchResults) => void,
): Promise<void> {
  const work = async () => {
    const thread = startScanThread({ ...settings, grammars: 'deferred' })
    try {
      for (;;) {
        const { value, done } = await batches.next()
        if (done === true) return
        take(await thread.scan(value))
      }
    } finally {
      await thread.end()
    }
  }
  await Promise.all(Array.from({ length: threads }, work))
}
