import type { LoadGrammar } from './constructs/find-constructs.ts'
import type { CloudProfile } from '../lib/profile/cloud-profile.ts'
import { noCounts, type ScanCounts, type ShownFinding, type Unchecked } from './finding.ts'
import { createCloudFileReader } from './cloud-files.ts'
import { createAttributeReader } from './git-attributes.ts'
import { createJudge } from './judge.ts'
import { createGrammarLoader } from './load-grammar.ts'
import { createFileScanner } from './scan-file.ts'
import type { GrammarAccess } from './find-all-constructs.ts'

export interface BatchSettings {
  readonly root: string
  /** `load` for the thread that parses; the others defer the files that need a grammar. */
  readonly grammars: 'load' | Exclude<GrammarAccess, { readonly load: LoadGrammar }>
  readonly profile?: CloudProfile
}

export interface BatchResults {
  /** Files that need a grammar, for the thread that has the grammars: each grammar takes tens of megabytes. */
  readonly deferred: string[]
  readonly counts: ScanCounts
  readonly findings: ShownFinding[]
  readonly unreadable: Unchecked[]
  readonly incomplete: Unchecked[]
}

export const emptyResults = (): BatchResults => ({
  counts: noCounts(),
  findings: [],
  unreadable: [],
  incomplete: [],
  deferred: [],
})

/** Scans lists of files with one set of tools. */
export function createBatchScanner({
  root,
  grammars,
  profile,
}: BatchSettings): (paths: readonly string[]) => Promise<BatchResults> {
  const tools = {
    judge: createJudge(profile),
    grammars: grammars === 'load' ? { load: createGrammarLoader() } : grammars,
    declaredRole: createAttributeReader(root),
    cloudOfFile: createCloudFileReader(root),
  }
  let results: BatchResults = emptyResults()
  const scanFile = createFileScanner(root, tools, () => results)
  return async (paths) => {
    results = emptyResults()
    for (const path of paths) await scanFile(path)
    return results
  }
}
