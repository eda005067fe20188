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
import { findNames, type NameOccurrence } from './names.ts'
import { placeOf, roleOf, type Place, type Role } from './place.ts'
import { findSelections, findTableEntries, type Entry } from './selections.ts'
import type { Region, Source } from './source.ts'
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
  readonly target: Target
  readonly declaredRole: (path: string) => Role | undefined
  /** The cloud that a file is for, where each cloud has its file. */
  readonly cloudOfFile: (path: string) => string | undefined
}

/** A value that is a finding unless a table or a selection of clouds holds it. */
interface Candidate extends Entry, Region {
  readonly host?: HostOccurrence
  readonly isChoice: boolean
  readonly isComment: boolean
  /** The cloud of a value that is wrong in the target. */
  readonly foreign: string | undefined
}

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
  const report = new Report(source, role)
  if (isProfile(source)) return report
  reportValues(report, tools)
  const mayHoldConstructs = source.isWhole && source.mayHoldConstructs && source.language.isProse !== true
  if (mayHoldConstructs && tools.target.isForeignName('public'))
    for (const place of [...findConstructs(source), ...findBlocks(source)]) reportConstruct(report, place)
  return report
}

/** A cloud profile, and what `cloud-profile export` makes of it, are the places where these values belong. */
function isProfile({ path, header }: Source): boolean {
  if (!path.endsWith('.json')) return /^\W*The export [\w-]+ of a cloud profile, made by /m.test(header.slice(0, 500))
  return /"authorityHost"\s*:/.test(header) && /"(?:serviceDnsSuffixes|services|environment)"\s*:/.test(header)
}

type Found = Pick<Finding, 'rule' | 'level' | 'cloud' | 'service' | 'fix'> & { readonly value?: string }

class Report {
  readonly findings: Finding[] = []
  ignored = 0
  readonly source: Source
  readonly #role: Place

  constructor(source: Source, role: Place) {
    this.source = source
    this.#role = role
  }

  placeOf({ start, end }: Region): Place {
    return placeOf(this.source, this.#role, start, end)
  }

  add({ start, end }: Region, found: Found): void {
    const { lines, path, text } = this.source
    if (isIgnored(this.source, start)) {
      this.ignored += 1
      return
    }
    const last = Math.min(end, lines.endOf(lines.rowOf(start)))
    const { line, at } = lines.viewOf(start)
    const excerpt = excerptOf(line, at, last - start)
    this.findings.push(detach({ value: text.slice(start, last), ...found, path, ...lines.placeOf(start), excerpt }))
  }
}

/** V8 makes a part of a text a view of that text: without copies, a finding would keep the whole text of its file in memory. */
function detach({ value, fix: { text, edit }, excerpt, ...rest }: Finding): Finding {
  const ownEdit = edit && { ...edit, oldText: copyOf(edit.oldText), newText: copyOf(edit.newText) }
  const fix = { text: copyOf(text), ...(ownEdit && { edit: ownEdit }) }
  return { ...rest, value: copyOf(value), fix, excerpt: { ...excerpt, text: copyOf(excerpt.text) } }
}

const copyOf = (text: string): string => Buffer.from(text).toString()

/** Hosts, audiences and names, and the selections that they are the halves of. */
function reportValues(report: Report, tools: TextTools): void {
  const { source } = report
  const { clouds, cloudOfFile, target } = tools
  const candidates = candidatesIn(source, clouds, target)
  if (candidates.length === 0) return
  // A comment that lists the hosts of all clouds does not make a table of the code beside it.
  const groups = [candidates.filter(({ isComment }) => isComment), candidates.filter(({ isComment }) => !isComment)]
  const inTables = new Set(groups.flatMap((group) => [...findTableEntries(group)]))
  const ownCloud = cloudOfFile(source.path)
  const isOwn = (each: Candidate) => ownCloud !== undefined && each.clouds.includes(ownCloud)
  const code = candidates.filter((each) => !each.isComment && !isOwn(each))
  const inSelections = new Set<Candidate>()
  const isOpen = source.isWhole && others.test(source.text)
  const foreign = code.filter((each) => each.foreign !== undefined)
  for (const selection of isOpen ? [] : findSelections(foreign, inTables)) {
    if (reportSelection(report, selection.entries, selection.clouds))
      for (const each of selection.entries) inSelections.add(each)
    // A default above or below the list of what is allowed belongs to the list.
    for (const { row, isListed } of selection.entries)
      for (const each of code)
        if (isListed && each.service === 'cloud' && Math.abs(row - each.row) <= 8) inSelections.add(each)
  }
  for (const each of candidates)
    if (!inTables.has(each) && !inSelections.has(each) && !isOwn(each)) reportValue(report, each, tools)
}

/** A file that reads a cloud from elsewhere too reaches others. */
const others =
  /\b(?:AzureStackCloud|AZURE_ENVIRONMENT_FILEPATH|EnvironmentFromURL|metadata_?host|getCloudFrom\w+|customCloud|custom_cloud|environmentFromName|SetEnvironmentFrom\w+|ARM_METADATA_HOST\w*|cloud\.Configuration\{)/i

function candidatesIn(source: Source, clouds: Clouds, target: Target): readonly Candidate[] {
  const placed = ({ start, end }: Region) => {
    return { start, end, row: source.lines.rowOf(start), isComment: source.isComment(start) }
  }
  const hosts = findHosts(source, clouds).map((host) => ({
    ...placed(host),
    host,
    service: host.service,
    clouds: host.clouds,
    isChoice: true,
    isListed: false,
    counterparts: host.isUnlisted ? Infinity : clouds.counterpartsOf(host.service),
    foreign: target.foreignCloud(host),
  }))
  const found = new Map<number, NameOccurrence>(findNames(source, clouds).map((each) => [each.start, each]))
  if (source.language.fix === 'terraform' && source.isWhole && source.mayHoldConstructs)
    for (const each of findPlainNames(source))
      if (!found.has(each.start)) found.set(each.start, { ...each, isChoice: true, isListed: false })
  const names = [...found.values()].map((name) => ({
    ...placed(name),
    service: 'cloud',
    clouds: [name.cloud],
    isChoice: name.isChoice,
    isListed: name.isListed,
    counterparts: 2,
    foreign: target.isForeignName(name.cloud) ? name.cloud : undefined,
  }))
  return [...hosts, ...names]
}

/** @returns Whether the values are a selection. */
function reportSelection(report: Report, entries: readonly Candidate[], clouds: readonly string[]): boolean {
  const ordered = [...entries].sort((a, b) => a.start - b.start)
  const [place, another] = new Set(ordered.map((each) => report.placeOf(each)))
  const [first] = ordered
  // Halves of different kinds, such as a text for people beside a value, are no selection.
  if (first === undefined || place === undefined || another !== undefined || levelOfPlace[place] === 'note')
    return false
  if (ordered.some(({ host, start }) => host !== undefined && isDocumentationLink(report.source.text, start)))
    return false
  // Names that are compared, and lists of what is allowed, choose nothing themselves.
  const isChosen = ordered.some(({ isChoice, isListed }) => !isListed && isChoice)
  report.add(first, {
    rule: 'ENUMERATED_CLOUDS',
    level: isChosen && clouds.length < 3 ? levelOfPlace[place] : 'warning',
    cloud: first.clouds[0] ?? 'public',
    service: first.service,
    fix: fixOfSelection(clouds),
  })
  return true
}

function reportValue(report: Report, each: Candidate, { clouds, target }: TextTools): void {
  const { source } = report
  const { host, start, end, isChoice, isListed, service, foreign: cloud } = each
  if (cloud === undefined || !isChoice || isListed) return
  const level = levelOfPlace[report.placeOf(each)]
  if (host === undefined) {
    const fix = fixOfName(source, start, end)
    return report.add(each, { rule: 'HARDCODED_CLOUD_NAME', level, cloud, service, fix })
  }
  if (isDocumentationLink(source.text, start)) return
  const isAudience = host.isAudience || host.clouds.length === 0
  const ofRetired = clouds.isRetired(service) && level === 'error' ? 'warning' : level
  report.add(each, {
    rule: isAudience ? 'HARDCODED_AUDIENCE' : 'HARDCODED_HOST',
    level: host.isUnlisted ? 'note' : ofRetired,
    cloud,
    service,
    fix: fixOfHost(source, { ...host, isAudience }, clouds, target === anyCloud ? undefined : target),
  })
}

function reportConstruct(report: Report, place: ConstructPlace): void {
  if (report.source.isComment(place.start)) return
  const { level, service } = kinds[place.kind]
  const own = levelOfPlace[report.placeOf(place)]
  const fix = fixOfConstruct(report.source, place)
  const found = { rule: 'PUBLIC_CLOUD_BY_DEFAULT', cloud: 'public', service, fix, value: place.name } as const
  report.add(place, { ...found, level: own === 'error' ? level : own })
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
