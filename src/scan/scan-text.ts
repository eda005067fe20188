import { findTableEntries } from './cloud-tables.ts'
import { findComments, isWithin, type Spans } from './comments.ts'
import { isDocumentation, roleOfPath, saysGenerated, type Role } from './classify-path.ts'
import { levelOfKind } from './constructs/construct.ts'
import {
  findAllConstructs,
  grammarFor,
  mayHoldConstructs,
  reasonNotToParse,
  type GrammarAccess,
} from './find-all-constructs.ts'
import { excerptOf } from './excerpt.ts'
import { findHostCandidates, findNameCandidates } from './find-candidates.ts'
import type { Level, ShownFinding } from './finding.ts'
import { fixOfConstruct } from './fixes.ts'
import type { Judge } from './judge.ts'
import { isRetired } from './known-words.ts'
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
    ...findHostCandidates(file, fix, tools.judge, lines),
    ...findNameCandidates(file, fix, tools.judge, lines),
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
