import { closeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { errorCode } from '../../../src/lib/base/files.ts'
import type { CloudFile } from '../../../src/lib/clouds/cloud-file.ts'
import type { CloudProfile } from '../../../src/lib/profile/cloud-profile.ts'
import { createAttributeReader, createCloudFileReader } from './attributes.ts'
import { createClouds } from './clouds.ts'
import { noCounts, type Finding, type Unchecked } from './finding.ts'
import { parsePattern, PatternBudget } from './ignore-rules.ts'
import { listTree } from './list-files.ts'
import { fill, openablePath, openRegularFile } from './read-file.ts'
import { scanText, type TextTools } from './scan-text.ts'
import { createSource, type Hit, type Source } from './source.ts'
import { anyCloud, createTarget } from './target.ts'
import { createWordMatcher } from './words.ts'

export interface ScanOptions {
  readonly paths: readonly string[]
  /** The cloud that the application is prepared for; without one, all clouds are foreign. */
  readonly profile?: CloudProfile
  /** Profile files of further clouds. */
  readonly clouds?: readonly CloudFile[]
  /** Patterns of paths to leave out, as in a `.gitignore`. */
  readonly exclude?: readonly string[]
}

export interface ScanResult {
  readonly root: string
  readonly findings: readonly Finding[]
  readonly counts: ReturnType<typeof noCounts>
  readonly unreadable: readonly Unchecked[]
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

/** Scans all files of a tree, one after the other. The findings are in the order of their paths. */
export async function scanTree(options: ScanOptions): Promise<ScanResult> {
  const { paths, profile, clouds: documents = [], exclude = [] } = options
  // The young generation of the heap would grow to 128 MB, the old one to four times what is alive. These flags of V8 work after the start.
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=100')
  const budget = new PatternBudget()
  const tree = listTree(paths, budget)
  const clouds = createClouds(documents)
  const scanner = createFileScanner(tree.root, createWordMatcher(clouds), {
    clouds,
    target: profile === undefined ? anyCloud : createTarget(profile, clouds),
    declaredRole: createAttributeReader(tree.root, budget),
    cloudOfFile: createCloudFileReader(tree.root),
  })
  const excluded = exclude.flatMap((pattern) => parsePattern(pattern) ?? [])
  const own = new PatternBudget(Infinity)
  for await (const path of tree.files) {
    if (excluded.some((pattern) => own.matchesFolderOrFile(pattern, path))) continue
    scanner.scan(path)
    // A signal to stop is heard between two files.
    if (scanner.counts.files % 64 === 0) await setImmediate()
  }
  const { findings, counts, incomplete, unreadable } = scanner
  if (budget.isSpent) {
    const reason = 'the patterns of .gitignore and .gitattributes take too long: some were not applied'
    incomplete.push({ path: '.', reason })
  }
  const byPath = (a: Unchecked, b: Unchecked) => compare(a.path, b.path)
  const byPlace = (a: Finding, b: Finding) =>
    compare(a.path, b.path) || a.line - b.line || a.column - b.column || compare(a.rule, b.rule)
  return {
    root: tree.root,
    findings: findings.sort(byPlace),
    counts,
    unreadable: [...unreadable, ...tree.unreadable].sort(byPath),
    incomplete: incomplete.sort(byPath),
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Scans files with one buffer. A file that fails is one line of the report. */
function createFileScanner(root: string, match: ReturnType<typeof createWordMatcher>, tools: TextTools) {
  const findings: Finding[] = []
  const counts = noCounts()
  const unreadable: Unchecked[] = []
  const incomplete: Unchecked[] = []
  let buffer: Buffer = Buffer.allocUnsafeSlow(256 * 1024)

  function scan(path: string): void {
    let file: number | undefined
    try {
      const opened = openRegularFile(openablePath(root, path))
      file = opened?.file
      if (opened !== undefined) scanOpen(path, opened.file, opened.size)
    } catch (error) {
      const code = errorCode(error)
      // Links are not followed, and a file may be gone by now.
      if (['ELOOP', 'ENOENT', 'EMLINK', 'ENXIO', 'ENOTDIR'].includes(code ?? '')) return
      if (error instanceof Error && 'syscall' in error) unreadable.push({ path, reason: code ?? 'cannot be read' })
      else {
        const reason = `the scan of this file failed (${error instanceof Error ? error.name : 'unknown'})`
        incomplete.push({ path, reason })
      }
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }

  function scanOpen(path: string, file: number, size: number): void {
    counts.files += 1
    const isWhole = size <= longestWhole
    const room = isWhole ? size : longestWhole + overlap
    if (buffer.length < room)
      buffer = Buffer.allocUnsafeSlow(Math.min(longestWhole + overlap, Math.max(room, 2 * buffer.length)))
    const first = fill(buffer, file, 0, Math.min(size, firstLook))
    const beginning = buffer.subarray(0, first)
    const encoding = beginning.subarray(0, binaryLook).includes(0) ? (wideEncoding(beginning) ?? 'binary') : undefined
    if (encoding === 'binary' || (encoding !== undefined && !isWhole)) {
      counts.binary += 1
      counts.bytes += first
      return
    }
    if (!isWhole) return scanParts(path, file, size, first)
    const length = fill(buffer, file, first, size)
    counts.bytes += length
    const read = buffer.subarray(0, length)
    const bytes = withLineFeeds(encoding === undefined ? read : Buffer.from(new TextDecoder(encoding).decode(read)))
    const { hits, mayHoldConstructs } = findHits(path, bytes, 0)
    if (hits.length === 0 && !mayHoldConstructs) return
    scanPart(createSource({ path, text: bytes.toString('latin1'), hits, mayHoldConstructs, isWhole }))
  }

  function scanParts(path: string, file: number, size: number, first: number): void {
    let [kept, total, lines, columns, seen, found] = [0, 0, 0, 0, 0, 0]
    while (total < size && found < mostHits) {
      const from = total === 0 ? first : kept
      const length = fill(buffer, file, from, Math.min(buffer.length, kept + size - total))
      if (length === kept) break
      const bytes = buffer.subarray(0, length)
      total += length - kept
      counts.bytes += length - kept
      // A match that ends in the overlap was found with the previous part.
      const { hits } = findHits(path, bytes, seen - (total - length), found)
      found += hits.length
      seen = total - length + (hits.at(-1)?.end ?? seen - (total - length))
      const part = { path, text: bytes.toString('latin1'), hits, mayHoldConstructs: false, isWhole: false }
      if (hits.length > 0) scanPart(createSource({ ...part, linesBefore: lines, columnsBefore: columns }))
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

  /** The words that end behind a place. @param before How many the file has before these bytes. */
  function findHits(path: string, bytes: Buffer, from: number, before = 0) {
    const hits: Hit[] = []
    let mayHoldConstructs = false
    match(bytes, bytes.length, (kind, end) => {
      if (kind === 'construct') mayHoldConstructs = true
      else if (end > from) hits.push({ kind, end })
      return before + hits.length < mostHits
    })
    if (before + hits.length >= mostHits)
      incomplete.push({ path, reason: `more than ${mostHits} values: the rest not checked` })
    return { hits, mayHoldConstructs }
  }

  function scanPart(source: Source): void {
    const found = scanText(source, tools)
    if (found.skipped !== undefined) counts[found.skipped] += 1
    counts.ignored += found.ignored
    for (const finding of found.findings) findings.push(finding)
  }

  return { findings, counts, unreadable, incomplete, scan }
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
  const look = bytes.subarray(0, Math.min(bytes.length, 512) & ~1)
  const zeros = (odd: number) => look.filter((byte, index) => byte === 0 && index % 2 === odd).length
  if (zeros(0) === 0 && zeros(1) > look.length * leastZeros) return 'utf-16le'
  return zeros(1) === 0 && zeros(0) > look.length * leastZeros ? 'utf-16be' : undefined
}
