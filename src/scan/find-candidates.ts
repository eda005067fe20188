import type { TableEntry } from './cloud-tables.ts'
import { findPlainNames } from './constructs/terraform-constructs.ts'
import { isDocumentationLink } from './documentation-link.ts'
import { readHost, type Occurrence } from './find-hosts.ts'
import { findNames } from './find-names.ts'
import type { ShownFinding } from './finding.ts'
import { fixOfName, fixOfValue } from './fixes.ts'
import type { Judge } from './judge.ts'
import { counterpartsOf, kindOfWord } from './known-words.ts'
import type { FixLanguage } from './languages.ts'
import type { Lines } from './lines.ts'
import type { TextToScan } from './text-to-scan.ts'

/** A value that is a finding unless a table of clouds holds it. */
export interface Candidate extends TableEntry {
  readonly start: number
  readonly end: number
  readonly toFinding: () => Pick<ShownFinding, 'rule' | 'cloud' | 'service' | 'fix' | 'value'> | undefined
}

/** The hosts and audiences of a text. */
export function findHostCandidates(
  { text, hits }: TextToScan,
  language: FixLanguage,
  judge: Judge,
  lines: Lines,
): readonly Candidate[] {
  const byStart = new Map<number, Occurrence>()
  for (const { word, end } of hits) {
    if (kindOfWord[word] !== 'host') continue
    const occurrence = readHost(text, end)
    if (occurrence !== undefined && (byStart.get(occurrence.start)?.end ?? 0) < occurrence.end) {
      byStart.set(occurrence.start, occurrence)
    }
  }
  return [...byStart.values()].map((occurrence) => ({
    start: occurrence.start,
    end: occurrence.end,
    line: lines.rowOf(occurrence.start),
    ...fallbackOf(text, occurrence.start, lines, false),
    service: occurrence.service,
    clouds: occurrence.clouds,
    counterparts: counterpartsOf(occurrence.service),
    toFinding() {
      const cloud = judge.foreignCloud(occurrence)
      if (cloud === undefined || isDocumentationLink(text, occurrence.start)) return undefined
      const { host, service, isAudience } = occurrence
      const isImported = language === 'terraform' && isInImport(text, occurrence.start)
      const isShared = occurrence.clouds.length === 0
      const { profile } = judge
      return {
        rule: isAudience || isShared ? 'HARDCODED_AUDIENCE' : 'HARDCODED_HOST',
        value: text.slice(occurrence.start, occurrence.end),
        cloud,
        service,
        fix: fixOfValue({
          host,
          service,
          isAudience: isAudience || isShared,
          isImported,
          language,
          ...(profile && { profile }),
        }),
      }
    },
  }))
}

/** The names of clouds in a text. */
export function findNameCandidates(
  file: TextToScan,
  language: FixLanguage,
  judge: Judge,
  lines: Lines,
): readonly Candidate[] {
  const { text, hits } = file
  const rows = new Set(hits.filter(({ word }) => kindOfWord[word] === 'name').map(({ end }) => lines.rowOf(end - 1)))
  const plain = language === 'terraform' && file.isWhole ? findPlainNames(text) : []
  const found = [...rows].flatMap((row) => {
    const from = lines.startOf(row)
    const before = text.slice(lines.startOf(Math.max(0, row - 8)), from)
    // A line of a megabyte is no setting.
    return findNames(text.slice(from, Math.min(lines.endOfLineAt(from), from + 2000)), before, isProgram(language)).map(
      (name) => ({
        ...name,
        start: from + name.start,
        end: from + name.end,
        row,
      }),
    )
  })
  for (const { row, column, text: name } of plain) {
    const start = lines.startOf(row) + column
    const cloud = (['public', 'usgovernment', 'china'] as const).find((each) => each === name.toLowerCase())
    if (cloud !== undefined && !found.some((each) => each.start === start)) {
      found.push({ start, end: start + name.length, cloud, isChoice: true, row })
    }
  }
  // A list of allowed values is no table that the default beside it belongs to.
  const relevant = found.filter(({ isChoice, row }) => isChoice || !isInListOfAllowed(text, row, lines))
  return relevant.map(({ start, end, cloud, isChoice, row }) => ({
    start,
    end,
    line: row,
    ...fallbackOf(text, start, lines, true),
    service: 'cloud',
    clouds: [cloud],
    counterparts: 2,
    toFinding: () =>
      isChoice && judge.isForeignName(cloud)
        ? {
            rule: 'HARDCODED_CLOUD_NAME',
            value: text.slice(start, end),
            cloud,
            service: 'cloud',
            fix: fixOfName(language),
          }
        : undefined,
  }))
}

const allowedValues = /\b(?:choices|one_?of|enum|allowed\w*|ValidateSet)\b|^\s*(?:values|options)\s*:\s*(?:\[|$)/i

/** Whether a line, or the line above those that hold a name each, opens a list of the values that a setting may have. */
function isInListOfAllowed(text: string, row: number, lines: Lines): boolean {
  for (let each = row; each >= Math.max(0, row - 8); each--) {
    const from = lines.startOf(each)
    const line = text.slice(from, Math.min(lines.endOfLineAt(from), from + 500))
    if (allowedValues.test(line)) return true
    if (!/^(?:-\s*)?["']?[\w.]*["']?,?$/.test(line.trim())) return false
  }
  return false
}

/** The branch of a statement for all other clouds, in the line of its value or in the line above. */
const otherBranch = /^\s*(?:(?:case\s+)?default\b|(?:\}\s*)?else\b(?!\s*if)|case _\b|_\s*=>|\*\))/

/** How many lines a function with a table may have. */
const longestFunction = 25

/**
 * Where the function of a value begins that stands for all other clouds: behind the cases of a table it belongs to the table.
 *
 * @param mayReturn Whether a return statement is such a place too.
 */
function fallbackOf(text: string, at: number, lines: Lines, mayReturn: boolean): { readonly fallbackFrom?: number } {
  const row = lines.rowOf(at)
  const lineOf = (each: number) => {
    const from = lines.startOf(each)
    return text.slice(from, Math.min(lines.endOfLineAt(from), from + 200))
  }
  const own = lineOf(row)
  const isOther = otherBranch.test(own) || (row > 0 && otherBranch.test(lineOf(row - 1)))
  if (!isOther && !(mayReturn && /^\s*return\b/.test(own))) return {}
  let first = row
  while (first > 0 && row - first < longestFunction && !/^[^\s)}]/.test(lineOf(first))) first -= 1
  return { fallbackFrom: first }
}

/** Whether an `import` block of Terraform names a value: the resource that it imports cannot give the value. */
function isInImport(text: string, at: number): boolean {
  const before = `\n${text.slice(Math.max(0, at - 1000), at)}`
  const block = before.slice(Math.max(0, before.lastIndexOf('\nimport')))
  return /^\nimport[ \t]*\{/.test(block) && !block.includes('}')
}

const programs = new Set<FixLanguage>(['typescript', 'python', 'go', 'dotnet', 'java', 'rust'])
const isProgram = (language: FixLanguage) => programs.has(language)
