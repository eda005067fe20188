import type { CloudProfile } from '../lib/profile/cloud-profile.ts'
import { noCounts, type ScanCounts, type ShownFinding, type Unreadable } from './finding.ts'
import { createAttributeReader } from './git-attributes.ts'
import { createJudge } from './judge.ts'
import { createGrammarLoader } from './load-grammar.ts'
import { createFileScanner } from './scan-file.ts'

export interface BatchSettings {
  readonly root: string
  readonly profile?: CloudProfile
}

export interface BatchResults {
  readonly counts: ScanCounts
  readonly findings: ShownFinding[]
  readonly unreadable: Unreadable[]
}

/** Scans lists of files with one set of tools. */
export function createBatchScanner({
  root,
  profile,
}: BatchSettings): (paths: readonly string[]) => Promise<BatchResults> {
  const tools = {
    judge: createJudge(profile),
    load: createGrammarLoader(),
    declaredRole: createAttributeReader(root),
  }
  let results: BatchResults = { counts: noCounts(), findings: [], unreadable: [] }
  const scanFile = createFileScanner(root, tools, () => results)
  return async (paths) => {
    results = { counts: noCounts(), findings: [], unreadable: [] }
    for (const path of paths) await scanFile(path)
    return results
  }
}
