import { createHash } from 'node:crypto'
import { z } from 'zod/mini'
import type { Finding } from './finding.ts'

/**
 * The findings that were known when a team began. Each entry counts the findings of one rule, path and value, so that lines may move. It holds no
 * text of the line.
 */
export const Baseline = z.object({
  version: z.literal(1),
  findings: z.array(
    z.object({
      rule: z.string(),
      path: z.string(),
      value: z.string(),
      count: z.int().check(z.minimum(1)),
    }),
  ),
})

export type Baseline = z.infer<typeof Baseline>

const keyOf = ({ rule, path, value }: Pick<Finding, 'rule' | 'path' | 'value'>) => JSON.stringify([rule, path, value])

export function createBaseline(findings: readonly Finding[]): Baseline {
  const counts = new Map<string, Baseline['findings'][number]>()
  for (const finding of findings) {
    const { rule, path, value } = finding
    const key = keyOf(finding)
    counts.set(key, { rule, path, value, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return { version: 1, findings: [...counts.values()] }
}

/** The findings that a baseline does not know: of each rule, path and value those beyond its count, the last ones. */
export function withoutKnown<F extends Finding>(findings: readonly F[], { findings: known }: Baseline): readonly F[] {
  const left = new Map(known.map((entry) => [JSON.stringify([entry.rule, entry.path, entry.value]), entry.count]))
  return findings.filter((finding) => {
    const key = keyOf(finding)
    const count = left.get(key) ?? 0
    if (count > 0) left.set(key, count - 1)
    return count === 0
  })
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
