import { findBlocks, findPlainNames } from './blocks.ts'
import type { Clouds } from './clouds.ts'
import { kinds } from './construct-table.ts'
import { findConstructs, type ConstructPlace } from './constructs.ts'
import { excerptOf } from './excerpt.ts'
import type { Finding, Level } from './finding.ts'
import { fixOfConstruct } from './fix-construct.ts'
import { fixOfHost } from './fix-host.ts'
import { fixOfName, fixOfSelection } from './fix-name.ts'
import { findHosts, isDocumentationLink, type HostOccurrence } from './hosts.ts'
import { findNames } from './names.ts'
import { isInRustTests, placeOf, roleOf, type Place, type Role } from './place.ts'
import { findSelections, findTableEntries, type Entry } from './selections.ts'
import type { Source } from './source.ts'
import { spanAt } from './spans.ts'
import { anyCloud, type Target } from './target.ts'

export interface TextFindings {
  readonly findings: readonly Finding[]
  readonly ignored: number
  /** Why nothing is reported. */
  readonly skipped?: Extract<Role, 'vendored' | 'generated'>
}

/** What a scan of a text needs to know. */
export interface TextTools {
  readonly clouds: Clouds
  readonly target?: Target
  /** The role of a path in `.gitattributes`. */
  readonly declaredRole: (path: string) => Role | undefined
  /** The cloud that a file is for, where each cloud has its file. */
  readonly cloudOfFile: (path: string) => string | undefined
}

/** A value that is a finding unless a table or a selection of clouds holds it. */
interface Candidate extends Entry {
  readonly start: number
  readonly end: number
  readonly host?: HostOccurrence
  readonly isChoice: boolean
}

type Found = Omit<Finding, 'path' | 'line' | 'column' | 'excerpt' | 'level' | 'value'>

const levelOfPlace: Readonly<Record<Place, Level>> = {
  code: 'error',
  ci: 'warning',
  comment: 'note',
  people: 'note',
  test: 'note',
  documentation: 'note',
}

/** Finds what binds a text to one cloud. */
export function scanText(source: Source, tools: TextTools): TextFindings {
  const role = roleOf(source, tools.declaredRole(source.path))
  if (role === 'vendored' || role === 'generated') return { findings: [], ignored: 0, skipped: role }
  if (isProfile(source)) return { findings: [], ignored: 0 }
  const report = new Report(source, role)
  reportValues(source, tools, report)
  if (
    (tools.target ?? anyCloud).isForeignName('public') &&
    source.isWhole &&
    source.mayHoldConstructs &&
    source.language.isProse !== true
  ) {
    for (const place of [...findConstructs(source), ...findBlocks(source)]) reportConstruct(source, place, report)
  }
  return { findings: report.findings.sort((a, b) => a.line - b.line || a.column - b.column), ignored: report.ignored }
}

/** A cloud profile is the place where these values belong. */
function isProfile({ path, header }: Source): boolean {
  return (
    path.endsWith('.json') &&
    /"authorityHost"\s*:/.test(header) &&
    /"(?:serviceDnsSuffixes|services|environment)"\s*:/.test(header)
  )
}

class Report {
  readonly findings: Finding[] = []
  ignored = 0
  readonly #source: Source
  readonly #role: Place

  constructor(source: Source, role: Place) {
    this.#source = source
    this.#role = role
  }

  placeOf(from: number, to: number): Place {
    return isInRustTests(this.#source, from) ? 'test' : placeOf(this.#source, this.#role, from, to)
  }

  add(from: number, to: number, level: Level, found: Found): void {
    const { lines, path, text } = this.#source
    if (isIgnored(this.#source, from)) {
      this.ignored += 1
      return
    }
    const end = Math.min(to, lines.endOf(lines.rowOf(from)))
    this.findings.push({
      ...found,
      level,
      path,
      value: text.slice(from, end),
      ...lines.placeOf(from),
      excerpt: excerptOf(lines.lineAt(from), lines.offsetInLine(from), end - from),
    })
  }
}

/** Hosts, audiences and names, and the selections that they are the halves of. */
function reportValues(source: Source, { clouds, target = anyCloud, cloudOfFile }: TextTools, report: Report): void {
  const candidates = [...hostCandidates(source, clouds), ...nameCandidates(source, clouds)]
  if (candidates.length === 0) return
  // A comment that lists the hosts of all clouds does not make a table of the code beside it.
  const isComment = new Map(candidates.map((each) => [each, source.isComment(each.start)]))
  const inTables = new Set(
    [true, false].flatMap((kind) => [...findTableEntries(candidates.filter((each) => isComment.get(each) === kind))]),
  )
  const ownCloud = cloudOfFile(source.path)
  const inSelections = new Set<Candidate>()
  const code = candidates.filter(
    (each) => isComment.get(each) === false && !each.clouds.some((cloud) => cloud === ownCloud),
  )
  for (const { entries, clouds: listed } of findSelections(
    code.filter((each) => foreignCloud(each, target) !== undefined),
    inTables,
  )) {
    if (reachesOthers(source)) break
    // A default above or below the list of what is allowed belongs to the list.
    const defaults = code.filter(
      (each) =>
        each.service === 'cloud' && entries.some((entry) => entry.isListed && Math.abs(entry.row - each.row) <= 8),
    )
    reportSelection(source, entries, listed, report, inSelections)
    for (const each of defaults) inSelections.add(each)
  }
  for (const each of candidates) {
    const cloud = foreignCloud(each, target)
    if (
      inTables.has(each) ||
      inSelections.has(each) ||
      cloud === undefined ||
      each.clouds.some((of) => of === ownCloud)
    )
      continue
    reportValue(source, each, cloud, { clouds, target }, report)
  }
}

function foreignCloud({ host, clouds, isChoice, isListed }: Candidate, target: Target): string | undefined {
  if (host !== undefined) return target.foreignCloud(host)
  const [cloud = ''] = clouds
  return (isChoice || isListed || clouds.length > 0) && target.isForeignName(cloud) ? cloud : undefined
}

/** A file that reads a cloud from elsewhere too reaches others. */
const others =
  /\b(?:AzureStackCloud|AZURE_ENVIRONMENT_FILEPATH|EnvironmentFromURL|metadata_?host|getCloudFrom\w+|customCloud|custom_cloud|environmentFromName|SetEnvironmentFrom\w+|ARM_METADATA_HOST\w*|cloud\.Configuration\{)/i

const reachesOthers = ({ text, isWhole }: Source): boolean => isWhole && others.test(text)

function reportSelection(
  source: Source,
  entries: readonly Candidate[],
  clouds: readonly string[],
  report: Report,
  known: Set<Candidate>,
): void {
  const ordered = [...entries].sort((a, b) => a.start - b.start)
  const places = ordered.map(({ start, end }) => report.placeOf(start, end))
  const [first] = ordered
  // Halves of different kinds, such as a text for people beside a value, are no selection.
  if (first === undefined || new Set(places).size > 1 || levelOfPlace[places[0] ?? 'code'] === 'note') return
  if (ordered.some(({ host }) => host !== undefined && isDocumentationLink(source.text, host.start))) return
  for (const each of ordered) known.add(each)
  // Names that are compared, and lists of what is allowed, choose nothing themselves.
  const isChosen = ordered.some(({ host, isChoice, isListed }) => !isListed && (host !== undefined || isChoice))
  const level = levelOfPlace[places[0] ?? 'code'] === 'error' && isChosen && clouds.length < 3 ? 'error' : 'warning'
  report.add(first.start, first.end, level, {
    rule: 'ENUMERATED_CLOUDS',
    cloud: first.clouds[0] ?? 'public',
    service: first.service,
    fix: fixOfSelection(clouds),
  })
}

function reportValue(
  source: Source,
  each: Candidate,
  cloud: string,
  { clouds, target }: Required<Pick<TextTools, 'clouds' | 'target'>>,
  report: Report,
): void {
  const { host, start, end, isChoice, isListed, service } = each
  if (host === undefined ? !isChoice || isListed : isDocumentationLink(source.text, start)) return
  const place = report.placeOf(start, end)
  const level = levelOfPlace[place]
  if (host === undefined)
    report.add(start, end, level, {
      rule: 'HARDCODED_CLOUD_NAME',
      cloud,
      service: 'cloud',
      fix: fixOfName(source, start, end),
    })
  else {
    const isAudience = host.isAudience || host.clouds.length === 0
    const own =
      host.isUnlisted || (clouds.isRetired(service) && level === 'error')
        ? host.isUnlisted
          ? 'note'
          : 'warning'
        : level
    report.add(start, end, own, {
      rule: isAudience ? 'HARDCODED_AUDIENCE' : 'HARDCODED_HOST',
      cloud,
      service,
      fix: fixOfHost(source, { ...host, isAudience }, clouds, target === anyCloud ? undefined : target),
    })
  }
}

function hostCandidates(source: Source, clouds: Clouds): readonly Candidate[] {
  return findHosts(source, clouds).map((host) => {
    const row = source.lines.rowOf(host.start)
    return {
      row,
      start: host.start,
      end: host.end,
      host,
      service: host.service,
      clouds: host.clouds,
      counterparts: host.isUnlisted ? Infinity : clouds.counterpartsOf(host.service),
      isListed: false,
      isChoice: true,
      ...fallbackOf(source, row, false),
    }
  })
}

function nameCandidates(source: Source, clouds: Clouds): readonly Candidate[] {
  const found = [...findNames(source, clouds)]
  if (source.language.fix === 'terraform' && source.isWhole && source.mayHoldConstructs)
    for (const { start, end, cloud } of findPlainNames(source))
      if (!found.some((each) => each.start === start))
        found.push({ start, end, cloud, isChoice: true, isListed: false })
  return found.map(({ start, end, cloud, isChoice, isListed }) => {
    const row = source.lines.rowOf(start)
    return {
      row,
      start,
      end,
      service: 'cloud',
      clouds: [cloud],
      counterparts: clouds.counterpartsOf('cloud'),
      isChoice,
      isListed,
      ...fallbackOf(source, row, true),
    }
  })
}

/** The branch of a statement for all other clouds, in the line of its value or in the line above. */
const otherBranch = /^\s*(?:(?:case\s+)?default\b|(?:\}\s*)?else\b(?!\s*if)|case _\b|_\s*=>|\*\))/
/** How many lines a function with a table may have. */
const longestFunction = 25

/** Where the function of a value begins that stands for all other clouds. @param mayReturn Whether a return statement is such a place too. */
function fallbackOf({ lines }: Source, row: number, mayReturn: boolean): { readonly fallbackFrom?: number } {
  const own = lines.textOf(row, 200)
  if (
    !otherBranch.test(own) &&
    !otherBranch.test(lines.textOf(row - 1, 200)) &&
    !(mayReturn && /^\s*return\b/.test(own))
  )
    return {}
  let first = row
  while (first > 0 && row - first < longestFunction && !/^[^\s)}]/.test(lines.textOf(first, 200))) first -= 1
  return { fallbackFrom: first }
}

function reportConstruct(source: Source, place: ConstructPlace, report: Report): void {
  const { start, end, kind, name } = place
  if (source.isComment(start)) return
  const where = report.placeOf(start, end)
  const { level, service } = kinds[kind]
  const own = levelOfPlace[where] === 'error' ? level : levelOfPlace[where]
  const fix = fixOfConstruct(source, place)
  report.add(start, end, own, { rule: 'PUBLIC_CLOUD_BY_DEFAULT', cloud: 'public', service, fix })
  const last = report.findings.at(-1)
  if (last?.rule === 'PUBLIC_CLOUD_BY_DEFAULT' && last.fix === fix)
    report.findings[report.findings.length - 1] = { ...last, value: name }
}

const ignoreComment = /cloud-profile-ignore:[ \t]*\S/

/** A comment of the line, or of the one above. */
function isIgnored(source: Source, at: number): boolean {
  const { lines, language, spans } = source
  const row = lines.rowOf(at)
  return [row, row - 1].some((each) => {
    const found = ignoreComment.exec(lines.textOf(each, 2000))
    if (found === null) return false
    const hasComments = language.syntax.lineComments.length + language.syntax.blockComments.length > 0
    return !hasComments || !source.isWhole || spanAt(spans, lines.startOf(each) + found.index)?.kind === 'comment'
  })
}
