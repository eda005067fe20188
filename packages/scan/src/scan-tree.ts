import { closeSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { errorCode } from '../../../src/lib/base/files.ts'
import type { CloudProfile } from '../../../src/lib/profile/cloud-profile.ts'
import { createAttributeReader, createCloudFileReader } from './attributes.ts'
import { createClouds, type CloudDocument } from './clouds.ts'
import { noCounts, type Finding, type ScanCounts, type Unchecked } from './finding.ts'
import { parsePattern, PatternBudget } from './ignore-rules.ts'
import { listTree } from './list-files.ts'
import { openablePath, openRegularFile } from './read-file.ts'
import { scanText, type TextTools } from './scan-text.ts'
import { Source, type Hit } from './source.ts'
import { createTarget } from './target.ts'
import { createWordMatcher } from './words.ts'

export interface ScanOptions {
  readonly paths: readonly string[]
  /** The cloud that the application is prepared for; without one, all clouds are foreign. */
  readonly profile?: CloudProfile
  /** Profile files of further clouds. */
  readonly clouds?: readonly CloudDocument[]
  /** Patterns of paths to leave out, as in a `.gitignore`. */
  readonly exclude?: readonly string[]
  readonly onProgress?: (counts: ScanCounts) => void
}

export interface ScanResult {
  readonly root: string
  readonly findings: readonly Finding[]
  readonly counts: ScanCounts
  readonly unreadable: readonly Unchecked[]
  /** Files that were not checked completely. */
  readonly incomplete: readonly Unchecked[]
}

/** Longer files are read in parts, one after the other. */
const longestWhole = 2_000_000
/** No value and no text that decides about it is longer: the end of one part is read again with the next. */
const overlap = 4096
/** Programs that find whether a file is binary look as far. */
const binaryLook = 8000
/** Of a binary file no more is read. */
const firstLook = 65_536
/** A file with more is a list of hosts: the scan skips the rest. */
const mostHits = 2000
const tooManyHits = `more than ${mostHits} values: the rest not checked`

/** Scans all files of a tree, one after the other. The findings are in the order of their paths. */
export async function scanTree({
  paths,
  profile,
  clouds: documents = [],
  exclude = [],
  onProgress,
}: ScanOptions): Promise<ScanResult> {
  // The young generation of the heap would grow to 128 MB. Of V8's flags for it only this one works after the start.
  setFlagsFromString('--semi-space-growth-factor=1')
  const budget = new PatternBudget()
  const tree = listTree(paths, budget)
  const clouds = createClouds(documents)
  const scanner = new FileScanner(tree.root, createWordMatcher(clouds), {
    clouds,
    ...(profile && { target: createTarget(profile, clouds) }),
    declaredRole: createAttributeReader(tree.root, budget),
    cloudOfFile: createCloudFileReader(tree.root),
  })
  const excluded = exclude.flatMap((pattern) => parsePattern(pattern) ?? [])
  const own = new PatternBudget(Infinity)
  for await (const path of tree.files) {
    if (isExcluded(path)) continue
    scanner.scan(path)
    if (scanner.counts.files % 64 === 0) {
      onProgress?.(scanner.counts)
      // A signal to stop is heard between two files.
      await setImmediate()
    }
  }
  if (budget.isSpent)
    scanner.incomplete.push({
      path: '.',
      reason: 'the patterns of .gitignore and .gitattributes take too long: some were not applied',
    })
  const byPath = (a: Unchecked, b: Unchecked) => compare(a.path, b.path)
  return {
    root: tree.root,
    findings: scanner.findings.sort(
      (a, b) => compare(a.path, b.path) || a.line - b.line || a.column - b.column || compare(a.rule, b.rule),
    ),
    counts: scanner.counts,
    unreadable: [...scanner.unreadable, ...tree.unreadable].sort(byPath),
    incomplete: scanner.incomplete.sort(byPath),
  }

  /** A pattern of a folder leaves out what lies below. */
  function isExcluded(path: string): boolean {
    const parts = path.split('/')
    return excluded.some((pattern) =>
      parts.some((_, index) => own.matches(pattern, parts.slice(0, index + 1).join('/'), index < parts.length - 1)),
    )
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Scans files with one buffer. A file that fails is one line of the report. */
class FileScanner {
  readonly findings: Finding[] = []
  readonly counts: ScanCounts = noCounts()
  readonly unreadable: Unchecked[] = []
  readonly incomplete: Unchecked[] = []
  readonly #root: string
  readonly #match: ReturnType<typeof createWordMatcher>
  readonly #tools: TextTools
  #buffer: Buffer = Buffer.allocUnsafeSlow(256 * 1024)

  constructor(root: string, match: ReturnType<typeof createWordMatcher>, tools: TextTools) {
    this.#root = root
    this.#match = match
    this.#tools = tools
  }

  scan(path: string): void {
    let opened
    try {
      opened = openRegularFile(openablePath(this.#root, path))
    } catch (error) {
      // A link is another file's business, and a file that is gone is nobody's.
      if (!['ELOOP', 'ENOENT', 'EMLINK', 'ENXIO', 'ENOTDIR'].includes(errorCode(error) ?? ''))
        this.unreadable.push({ path, reason: errorCode(error) ?? 'cannot be read' })
      return
    }
    if (opened === undefined) return
    try {
      this.#scanOpen(path, opened.file, opened.size)
    } catch (error) {
      const isOfFile = error instanceof Error && 'syscall' in error
      if (isOfFile) this.unreadable.push({ path, reason: errorCode(error) ?? 'cannot be read' })
      else
        this.#addIncomplete(path, `the scan of this file failed (${error instanceof Error ? error.name : 'unknown'})`)
    } finally {
      closeSync(opened.file)
    }
  }

  #addIncomplete(path: string, reason: string): void {
    const last = this.incomplete.at(-1)
    // A long file has one part after the other.
    if (last?.path !== path || last.reason !== reason) this.incomplete.push({ path, reason })
  }

  #scanOpen(path: string, file: number, size: number): void {
    this.counts.files += 1
    const isWhole = size <= longestWhole
    this.#reserve(isWhole ? size : longestWhole + overlap)
    const first = this.#fill(file, 0, Math.min(size, firstLook))
    const beginning = this.#buffer.subarray(0, first)
    if (holdsZero(beginning) && (!isWhole || wideEncoding(beginning) === undefined)) {
      this.counts.binary += 1
      this.counts.bytes += first
      return
    }
    if (!isWhole) return this.#scanParts(path, file, size, first)
    const length = this.#fill(file, first, size)
    this.counts.bytes += length
    const bytes = withLineFeeds(textOf(this.#buffer.subarray(0, length)))
    const { hits, mayHoldConstructs } = this.#findHits(bytes)
    if (hits.length === 0 && !mayHoldConstructs) return
    if (hits.length >= mostHits) this.#addIncomplete(path, tooManyHits)
    this.#scanPart(new Source({ path, text: bytes.toString('latin1'), hits, mayHoldConstructs, isWhole: true }))
  }

  #reserve(room: number): void {
    if (this.#buffer.length < room)
      this.#buffer = Buffer.allocUnsafeSlow(Math.min(longestWhole + overlap, Math.max(room, 2 * this.#buffer.length)))
  }

  /** Reads until the buffer has so many bytes or the file ends, whatever it grows or shrinks to meanwhile. */
  #fill(file: number, from: number, to: number): number {
    let length = from
    while (length < to) {
      const count = readSync(file, this.#buffer, length, to - length, null)
      if (count === 0) break
      length += count
    }
    return length
  }

  #scanParts(path: string, file: number, size: number, first: number): void {
    let [kept, total, lines, columns, seen, found] = [0, 0, 0, 0, 0, 0]
    while (total < size && found < mostHits) {
      const from = total === 0 ? first : kept
      const length = this.#fill(file, from, Math.min(this.#buffer.length, kept + size - total))
      if (length === kept) break
      const bytes = this.#buffer.subarray(0, length)
      total += length - kept
      this.counts.bytes += length - kept
      // A match that ends in the overlap was found with the previous part.
      const hits = this.#findHits(bytes).hits.filter(({ end }) => total - length + end > seen)
      found += hits.length
      if (found >= mostHits) this.#addIncomplete(path, tooManyHits)
      if (hits.length > 0) {
        this.#scanPart(
          new Source({
            path,
            text: bytes.toString('latin1'),
            hits,
            mayHoldConstructs: false,
            isWhole: false,
            linesBefore: lines,
            columnsBefore: columns,
          }),
        )
        seen = total - length + (hits.at(-1)?.end ?? 0)
      }
      const cut = Math.max(0, length - overlap)
      for (let at = bytes.indexOf(10); at !== -1 && at < cut; at = bytes.indexOf(10, at + 1)) {
        lines += 1
        columns = -at - 1
      }
      columns += cut
      kept = length - cut
      this.#buffer.copyWithin(0, cut, length)
    }
  }

  #findHits(bytes: Buffer): { readonly hits: readonly Hit[]; readonly mayHoldConstructs: boolean } {
    const hits: Hit[] = []
    let mayHoldConstructs = false
    this.#match(bytes, bytes.length, (kind, end) => {
      if (kind === 'construct') mayHoldConstructs = true
      else hits.push({ kind, end })
      return hits.length < mostHits
    })
    return { hits, mayHoldConstructs }
  }

  #scanPart(source: Source): void {
    const { findings, ignored, skipped } = scanText(source, this.#tools)
    if (skipped !== undefined) this.counts[skipped] += 1
    this.counts.ignored += ignored
    for (const finding of findings) this.findings.push(finding)
  }
}

const holdsZero = (bytes: Buffer): boolean => bytes.subarray(0, binaryLook).includes(0)

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
