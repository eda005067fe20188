import type { CloudProfile } from '../lib/profile/cloud-profile.ts'
import { noCounts, type ScanCounts, type ShownFinding, type Unreadable } from './finding.ts'
import { createAttributeReader } from './git-attributes.ts'
import { createJudge } from './judge.ts'
import { createGrammarLoader } from './load-grammar.ts'
import { createFileScanner } from './scan-file.ts'

export interface BatchSettings {
  readonly root: string
  readonly hasGrammars: boolean
  readonly profile?: CloudProfile
}

export interface BatchResults {
  /** Files that need a grammar, for the thread that has the grammars: each takes tens of megabytes. */
  readonly deferred: string[]
  readonly counts: ScanCounts
  readonly findings: ShownFinding[]
  readonly unreadable: Unreadable[]
}

export const emptyResults = (): BatchResults => ({ counts: noCounts(), findings: [], unreadable: [], deferred: [] })

/** Scans lists of files with one set of tools. */
export function createBatchScanner({
  root,
  hasGrammars,
  profile,
}: BatchSettings): (paths: readonly string[]) => Promise<BatchResults> {
  const tools = {
    judge: createJudge(profile),
    ...(hasGrammars && { load: createGrammarLoader() }),
    declaredRole: createAttributeReader(root),
  }
  let results: BatchResults = emptyResults()
  const scanFile = createFileScanner(root, tools, () => results)
  return async (paths) => {
    results = emptyResults()
    for (const path of paths) await scanFile(path)
    return results
  }
}
