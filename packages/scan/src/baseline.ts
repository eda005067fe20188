import { createHash } from 'node:crypto'
import { UsageError } from '../../../src/cli/command.ts'
import type { Finding } from './finding.ts'
import { readRegularFile } from './read-file.ts'

/**
 * The findings that were known when a team began. Each entry counts the findings of one rule, path and value, so that lines may move. It
 * holds no text of the line.
 */
export interface Baseline {
  readonly version: 1
  readonly findings: readonly BaselineEntry[]
}

export interface BaselineEntry {
  readonly rule: string
  readonly path: string
  readonly value: string
  readonly count: number
}

type Key = Omit<BaselineEntry, 'count'>
const keyOf = ({ rule, path, value }: Key) => JSON.stringify([rule, path, value])

export function createBaseline(findings: readonly Finding[]): Baseline {
  const entries = [...Map.groupBy(findings, keyOf).values()].flatMap((equal) =>
    equal.slice(0, 1).map(({ rule, path, value }) => ({ rule, path, value, count: equal.length })),
  )
  return { version: 1, findings: entries }
}

/**
 * The findings that a baseline does not know, and the entries that nothing is found for. An entry whose path has no findings left goes to a
 * path with the same name of a file, or the same rule and value where only one remains: a file that was moved keeps its entry.
 */
export function compareWithBaseline(
  findings: readonly Finding[],
  known: readonly BaselineEntry[],
): { readonly left: readonly Finding[]; readonly stale: readonly BaselineEntry[] } {
  const counts = new Map(known.map((entry) => [keyOf(entry), entry.count]))
  const countOf = (key: Key) => counts.get(keyOf(key)) ?? 0
  const taken = new Set<Finding>()
  const take = (finding: Finding, entry: Key) => {
    if (countOf(entry) === 0 || taken.has(finding)) return
    counts.set(keyOf(entry), countOf(entry) - 1)
    taken.add(finding)
  }
  for (const finding of findings) take(finding, finding)
  const paths = new Set(findings.map(({ path }) => path))
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  const moved = known.filter((entry) => countOf(entry) > 0 && !paths.has(entry.path))
  for (const isNameEqual of [true, false])
    for (const finding of findings) {
      const entry = moved.find(
        (each) =>
          each.rule === finding.rule &&
          each.value === finding.value &&
          countOf(each) > 0 &&
          (!isNameEqual || nameOf(each.path) === nameOf(finding.path)),
      )
      if (entry !== undefined) take(finding, entry)
    }
  const stale = known.filter((entry) => countOf(entry) > 0).map((entry) => ({ ...entry, count: countOf(entry) }))
  return { left: findings.filter((finding) => !taken.has(finding)), stale }
}

const longestBaseline = 20_000_000

/** @throws {UsageError} that says what is wrong with the file. */
export function readBaseline(path: string): Baseline {
  const read = readRegularFile(path, longestBaseline)
  if ('reason' in read) throw new UsageError(`The baseline ${path} ${read.reason}; write it with --write-baseline`)
  let document: unknown
  try {
    document = JSON.parse(read.bytes.toString('utf8'))
  } catch (error) {
    throw new UsageError(`The baseline ${path} is not JSON; write it with --write-baseline`, { cause: error })
  }
  if (!isBaseline(document))
    throw new UsageError(`${path} is not a baseline of this command; write a new one with --write-baseline`)
  return document
}

function isBaseline(document: unknown): document is Baseline {
  const { version, findings } = (document ?? {}) as Partial<Record<keyof Baseline, unknown>>
  return (
    version === 1 &&
    Array.isArray(findings) &&
    findings.every((each: unknown) => {
      const { rule, path, value, count } = (each ?? {}) as Partial<Record<keyof BaselineEntry, unknown>>
      return (
        [rule, path, value].every((text) => typeof text === 'string') && Number.isInteger(count) && Number(count) > 0
      )
    })
  )
}

/** Fingerprints that stay equal when a line moves: rule, path, value, and a counter of equal ones. */
export function fingerprintsOf(findings: readonly Finding[]): readonly string[] {
  const seen = new Map<string, number>()
  return findings.map((finding) => {
    const key = keyOf(finding)
    const index = seen.get(key) ?? 0
    seen.set(key, index + 1)
    return createHash('sha256').update(`${key}#${index}`).digest('hex').slice(0, 32)
  })
}
