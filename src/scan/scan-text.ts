import { findTableEntries, type TableEntry } from './cloud-tables.ts'
import { findComments, isWithin, type Spans } from './comments.ts'
import { isDocumentation, roleOfPath, saysGenerated, type Role } from './classify-path.ts'
import { levelOfKind } from './constructs/construct.ts'
import { findPlainNames } from './constructs/terraform-constructs.ts'
import {
  findAllConstructs,
  grammarFor,
  mayHoldConstructs,
  reasonNotToParse,
  type GrammarAccess,
} from './find-all-constructs.ts'
import { isDocumentationLink } from './documentation-link.ts'
import { excerptOf } from './excerpt.ts'
import { readHost, type Occurrence } from './find-hosts.ts'
import { findNames } from './find-names.ts'
import type { Level, ShownFinding } from './finding.ts'
import { fixOfConstruct, fixOfName, fixOfValue } from './fixes.ts'
import type { Judge } from './judge.ts'
import { counterpartsOf, isRetired, kindOfWord } from './known-words.ts'
import { languageOf, type FixLanguage, type Language } from './languages.ts'
import { Lines } from './lines.ts'
import type { TextToScan } from './text-to-scan.ts'
import { findRustTests } from './rust-tests.ts'
import { followsPlaceholder, isForPeople, isMessage } from './text-for-people.ts'

export interface TextFindings {
  /** Whether the file needs a grammar, which another thread has. */
  readonly isDeferred?: true
  /** Why the constructs of the file were not checked. */
  readonly incomplete?: string
  readonly findings: readonly ShownFinding[]
  readonly ignored: number
  /** Why nothing is reported. */
  readonly skipped?: Extract<Role, 'vendored' | 'generated'>
}

/** The options of the scan of a text. */
export interface TextTools {
  readonly judge: Judge
  readonly grammars: GrammarAccess
  /** The attributes of a path in `.gitattributes`. */
  readonly declaredRole: (path: string) => Role | undefined
  /** The cloud that a file is for, where each cloud has its file. */
  readonly cloudOfFile: (path: string) => string | undefined
}

/** Characters at the start of a file that may contain its header. */
const headerLength = 2000

interface Candidate extends TableEntry {
  readonly start: number
  readonly end: number
  readonly toFinding: () => Pick<ShownFinding, 'rule' | 'cloud' | 'service' | 'fix' | 'value'> | undefined
}

/** Finds what binds a text to one cloud. */
export async function scanText(file: TextToScan, tools: TextTools): Promise<TextFindings> {
  const { path, text, hits } = file
  const role = tools.declaredRole(path) ?? roleOfPath(path)
  if (role === 'vendored' || role === 'generated') return { findings: [], ignored: 0, skipped: role }
  if (file.isWhole && saysGenerated(text.slice(0, headerLength)))
    return { findings: [], ignored: 0, skipped: 'generated' }
  if (isProfile(path, text)) return { findings: [], ignored: 0 }
  const language = languageOf(path)
  const fix = fixLanguageOf(language, path, text)
  const lines = new Lines(text, file.linesBefore, file.columnsBefore)
  const unfit = mayHoldConstructs(file, language) ? reasonNotToParse(file, lines) : undefined
  const grammar = unfit === undefined ? grammarFor(file, language) : undefined
  if (grammar !== undefined && tools.grammars === 'deferred') return { findings: [], ignored: 0, isDeferred: true }
  const failure =
    grammar !== undefined && typeof tools.grammars === 'object' && 'failure' in tools.grammars
      ? tools.grammars.failure
      : undefined
  const constructs = unfit === undefined ? await findAllConstructs(file, language, grammar, tools.grammars) : []
  const last = Math.max(0, ...hits.map(({ end }) => end), ...constructs.map(({ row }) => lines.startOf(row)))
  const comments = file.isWhole ? findComments(text, language.syntax, lines.endOfLineAt(last)) : []
  // Of a file in parts only whole lines are known to be comments.
  const isComment = (at: number) =>
    file.isWhole
      ? isWithin(comments, at)
      : language.syntax.lineComments.some((token) => lines.lineAt(at).trimStart().startsWith(token))
  const candidates = [
    ...hostCandidates(file, fix, tools.judge, lines),
    ...nameCandidates(file, fix, tools.judge, lines),
  ]
  // A comment that lists the hosts of all clouds does not make a table of the code beside it.
  const inTables = new Set(
    [true, false].flatMap((isInComment) => [
      ...findTableEntries(candidates.filter(({ start }) => isComment(start) === isInComment)),
    ]),
  )
  const ownCloud = candidates.length > 0 ? tools.cloudOfFile(path) : undefined
  const tests = fix === 'rust' ? findRustTests(text) : []
  const isNote = role === 'note' || language.isProse === true || isDocumentation(path, text.slice(0, headerLength))
  const levelAt = (at: number): Level =>
    isNote || isComment(at) || isWithin(tests, at) || isForPeople(text, at) ? 'note' : 'error'

  const findings: ShownFinding[] = []
  let ignored = 0
  const add = (
    at: number,
    end: number,
    found: Pick<ShownFinding, 'rule' | 'level' | 'cloud' | 'service' | 'fix' | 'value'>,
  ) => {
    if (isIgnored(text, at, lines, comments, language)) ignored += 1
    else
      findings.push({
        ...found,
        path,
        ...lines.placeOf(at),
        excerpt: excerptOf(lines.lineAt(at), lines.offsetInLine(at), end - at),
      })
  }
  const hasMessages =
    language.syntax.lineComments.includes('//') || language.syntax.hasDocstrings === true || fix === 'powershell'
  for (const candidate of candidates) {
    if (inTables.has(candidate) || candidate.clouds.some((cloud) => cloud === ownCloud)) continue
    const found = candidate.toFinding()
    if (found === undefined) continue
    const isTold =
      hasMessages &&
      (isMessage(text, candidate.start, candidate.end) || followsPlaceholder(text, candidate.start, candidate.end))
    const level = isTold ? 'note' : levelAt(candidate.start)
    add(candidate.start, candidate.end, {
      ...found,
      level: level === 'error' && isRetired(found.service) ? 'warning' : level,
    })
  }
  if (tools.judge.isForeignName('public')) {
    for (const { row, column, name, kind } of constructs) {
      const at = lines.startOf(row) + column
      if (isWithin(comments, at)) continue
      const isTold = kind === 'connection-string' && hasMessages && isMessage(text, at, at + 1)
      const level = isTold || levelAt(at) === 'note' ? 'note' : levelOfKind[kind]
      const service = kind === 'connection-string' ? 'storage' : kind === 'credential' ? 'login' : 'resource-manager'
      add(at, Math.min(at + name.length, lines.endOfLineAt(at)), {
        rule: 'PUBLIC_CLOUD_BY_DEFAULT',
        level,
        value: name,
        cloud: 'public',
        service,
        fix: fixOfConstruct(kind, fix, name),
      })
    }
  }
  const incomplete = unfit ?? failure
  return {
    findings: findings.sort((a, b) => a.line - b.line || a.column - b.column),
    ignored,
    ...(incomplete !== undefined && { incomplete }),
  }
}

function hostCandidates(
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

function nameCandidates(file: TextToScan, language: FixLanguage, judge: Judge, lines: Lines): readonly Candidate[] {
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

/** A profile is the place where these values belong. */
function isProfile(path: string, text: string): boolean {
  return path.endsWith('.json') && /"authorityHost"\s*:/.test(text) && /"serviceDnsSuffixes"\s*:/.test(text)
}

function fixLanguageOf({ fix }: Language, path: string, text: string): FixLanguage {
  if (
    path.endsWith('.json') &&
    /"\$schema"\s*:\s*"https?:\/\/schema\.management\.azure\.com\//.test(text.slice(0, 4000))
  )
    return 'arm'
  return fix
}

const ignoreComment = /cloud-profile-ignore:[ \t]*\S/

/** A comment of the line, or of the one above. */
function isIgnored(text: string, at: number, lines: Lines, comments: Spans, { syntax }: Language): boolean {
  const row = lines.rowOf(at)
  return [row, row - 1].some((each) => {
    if (each < 0) return false
    const from = lines.startOf(each)
    const line = text.slice(from, Math.min(lines.endOfLineAt(from), from + 2000))
    const found = ignoreComment.exec(line)
    if (found === null) return false
    const hasComments = syntax.lineComments.length + syntax.blockComments.length > 0
    return !hasComments || isWithin(comments, from + found.index)
  })
}
