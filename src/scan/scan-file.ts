import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { errorCode } from '../lib/base/error-code.ts'
import type { ScanCounts, ShownFinding, Unchecked } from './finding.ts'
import { words } from './known-words.ts'
import { scanText, type TextTools } from './scan-text.ts'
import type { TextToScan, WordHit } from './text-to-scan.ts'
import { openablePath } from './undecodable-names.ts'
import { createWordMatcher } from './word-matcher.ts'

/** The scan reads a longer file in parts: it is data. */
const longestWhole = 2_000_000

/** How much of a part comes again in the next one, so that no value is cut. */
const overlap = 4096

/** Programs that find whether a file is binary look as far. */
const binaryLook = 8000

/** Of a binary file no more is read. */
const firstLook = 65_536

/** A file with more is a list of hosts: the scan skips the rest. */
const mostHits = 2000
const tooManyHits = `more than ${mostHits} values: the rest not checked`

const matchWords = createWordMatcher(words)

/** Where the results of files go. */
export interface ScanResults {
  readonly counts: ScanCounts
  readonly findings: ShownFinding[]
  readonly unreadable: Unchecked[]
  readonly incomplete: Unchecked[]
  readonly deferred: string[]
}

/** Scans files one after the other with one buffer. Never follows a link, waits for a pipe, or opens a device. */
export function createFileScanner(root: string, tools: TextTools, resultsOf: () => ScanResults) {
  let buffer = Buffer.allocUnsafeSlow(256 * 1024)

  return async function scanFile(path: string): Promise<void> {
    let file: number
    try {
      file = openSync(openablePath(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    } catch (error) {
      // A link is another file's business, and a file that is gone is nobody's.
      if (!['ELOOP', 'ENOENT', 'EMLINK', 'ENXIO'].includes(errorCode(error) ?? '')) unreadable(path, error)
      return
    }
    try {
      const status = fstatSync(file)
      if (!status.isFile()) return
      await scanOpen(path, file, status.size)
    } catch (error) {
      // A fault of ours is no property of the file.
      if (errorCode(error) === undefined || !(error instanceof Error && 'syscall' in error)) throw error
      unreadable(path, error)
    } finally {
      closeSync(file)
    }
  }

  function unreadable(path: string, error: unknown): void {
    resultsOf().unreadable.push({ path, reason: errorCode(error) ?? 'cannot be read' })
  }

  function addIncomplete(path: string, reason: string): void {
    const { incomplete } = resultsOf()
    const last = incomplete.at(-1)
    // A long file has one part after the other.
    if (last?.path !== path || last.reason !== reason) incomplete.push({ path, reason })
  }

  async function scanOpen(path: string, file: number, size: number): Promise<void> {
    const { counts } = resultsOf()
    counts.files += 1
    const isWhole = size <= longestWhole
    reserve(isWhole ? size : longestWhole + overlap)
    const first = fill(file, 0, Math.min(size, firstLook))
    const isBinary = holdsZero(buffer.subarray(0, first))
    if (isBinary && (!isWhole || wideEncoding(buffer.subarray(0, first)) === undefined)) {
      counts.binary += 1
      counts.bytes += first
      return
    }
    if (!isWhole) return scanParts(path, file, size, first)
    const length = fill(file, first, size)
    counts.bytes += length
    const bytes = withLineFeeds(textOf(buffer.subarray(0, length)))
    const hits = findHits(bytes)
    if (hits.length === 0) return
    if (hits.length >= mostHits) addIncomplete(path, tooManyHits)
    const text = bytes.toString('latin1')
    await scanPart({ path, text, hits, isWhole: true, linesBefore: 0, columnsBefore: 0 })
  }

  function reserve(room: number): void {
    if (buffer.length >= room) return
    buffer = Buffer.allocUnsafeSlow(Math.min(longestWhole + overlap, Math.max(room, 2 * buffer.length)))
  }

  /** Reads until the buffer has so many bytes or the file ends, whatever it grows or shrinks to meanwhile. */
  function fill(file: number, from: number, to: number): number {
    let length = from
    while (length < to) {
      const count = readSync(file, buffer, length, to - length, null)
      if (count === 0) break
      length += count
    }
    return length
  }

  async function scanParts(path: string, file: number, size: number, first: number): Promise<void> {
    const { counts } = resultsOf()
    let [kept, total, lines, columns, seen, found] = [0, 0, 0, 0, 0, 0]
    while (total < size) {
      const from = total === 0 ? first : kept
      const length = fill(file, from, Math.min(buffer.length, kept + size - total))
      if (length === kept) break
      const bytes = buffer.subarray(0, length)
      total += length - kept
      counts.bytes += length - kept
      // A match that ends in the overlap was found with the previous part.
      const isFull = found >= mostHits
      const hits = isFull ? [] : findHits(bytes).filter(({ end }) => total - length + end > seen)
      found += hits.length
      if (!isFull && found >= mostHits) addIncomplete(path, tooManyHits)
      if (hits.length > 0) {
        const text = bytes.toString('latin1')
        await scanPart({ path, text, hits, isWhole: false, linesBefore: lines, columnsBefore: columns })
        seen = total - length + (hits.at(-1)?.end ?? 0)
      }
      const cut = Math.max(0, length - overlap)
      for (let at = bytes.indexOf(10); at !== -1 && at < cut; at = bytes.indexOf(10, at + 1)) {
        lines += 1
        columns = -at - 1
      }
      columns += cut
      kept = length - cut
      buffer.copyWithin(0, cut, length)
    }
  }

  async function scanPart(part: TextToScan): Promise<void> {
    const { findings, ignored, skipped, isDeferred, incomplete } = await scanText(part, tools)
    const results = resultsOf()
    if (skipped !== undefined) results.counts[skipped] += 1
    results.counts.ignored += ignored
    if (incomplete !== undefined) addIncomplete(part.path, incomplete)
    if (isDeferred === true) results.deferred.push(part.path)
    results.findings.push(...findings)
  }
}

function findHits(bytes: Buffer): readonly WordHit[] {
  const hits: WordHit[] = []
  matchWords(bytes, bytes.length, (word, end) => {
    hits.push({ word, end })
    return hits.length < mostHits
  })
  return hits
}

function holdsZero(bytes: Buffer): boolean {
  return bytes.subarray(0, binaryLook).includes(0)
}

/** The bytes of a text as UTF-8. */
function textOf(bytes: Buffer): Buffer {
  const encoding = holdsZero(bytes) ? wideEncoding(bytes) : undefined
  return encoding === undefined ? bytes : Buffer.from(new TextDecoder(encoding).decode(bytes))
}

/** Compilers end a line at a carriage return alone too. A text that has no other line ends gets line feeds in their place. */
function withLineFeeds(bytes: Buffer): Buffer {
  const first = bytes.includes(10) ? -1 : bytes.indexOf(13)
  for (let at = first; at !== -1; at = bytes.indexOf(13, at + 1)) bytes[at] = 10
  return bytes
}

/** How many of the first bytes are the zeros of Latin letters, digits, signs and spaces in a text of UTF-16, in any language. */
const leastZeros = 0.05

/** UTF-16 by its mark, or by zeros in every second place only. */
function wideEncoding(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  // UTF-32 begins with the mark of UTF-16, and is binary to most programs.
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes[2] === 0 && bytes[3] === 0 ? undefined : 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const look = Math.min(bytes.length, 512) & ~1
  const zeros = [0, 0]
  for (let at = 0; at < look; at++) if (bytes[at] === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > look * leastZeros && even === 0) return 'utf-16le'
  return even > look * leastZeros && odd === 0 ? 'utf-16be' : undefined
}
