import type { Finding, ScanCounts, ShownFinding, Unchecked } from '../../scan/finding.ts'

/** Everything that a report says. */
export interface ScanReport {
  readonly root: string
  readonly findings: readonly ShownFinding[]
  readonly counts: ScanCounts
  readonly unreadable: readonly Unchecked[]
  readonly incomplete: readonly Unchecked[]
  /** Findings that a baseline knows. */
  readonly known: number
  readonly seconds: number
  /** Whether the text format lists notes too. There can be hundreds, so it lists them only if a note fails the run. */
  readonly listsNotes: boolean
}

export interface ScanSummary extends ScanCounts {
  readonly findings: number
  readonly errors: number
  readonly warnings: number
  readonly notes: number
  readonly known: number
  readonly byRule: Readonly<Record<string, number>>
  readonly byService: Readonly<Record<string, number>>
  readonly seconds: number
}

export function summarize({ findings, counts, known, seconds }: ScanReport): ScanSummary {
  const ofLevel = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length
  return {
    ...counts,
    findings: findings.length,
    errors: ofLevel('error'),
    warnings: ofLevel('warning'),
    notes: ofLevel('note'),
    known,
    byRule: countBy(findings.map(({ rule }) => rule)),
    byService: countBy(findings.map(({ service }) => service)),
    seconds: Math.round(seconds * 1000) / 1000,
  }
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}
