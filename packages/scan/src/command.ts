import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { builtInProfileNames } from '../../../src/lib/clouds/known-clouds.ts'
import type { CloudProfile } from '../../../src/lib/profile/cloud-profile.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { compareWithBaseline, createBaseline, readBaseline, writeFileSafely } from './baseline.ts'
import type { CloudDocument } from './clouds.ts'
import { forJson } from './destinations.ts'
import { applyChanges, changedFiles, formatPatch } from './edits.ts'
import { levels, ruleIds, UsageError, type Finding, type Level } from './finding.ts'
import { readRegularFile } from './read-file.ts'
import { formatGithub, formatJson, formatSarif, formatText, type ScanReport } from './reports.ts'
import { scanTree } from './scan-tree.ts'
import { VERSION } from './version.ts'

/** The process around a run: everything that is not an argument. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly columns: number
  readonly hasColors: boolean
  readonly print: (text: string) => void
  /** A line for people beside the results. */
  readonly note: (text: string) => void
}

const options = {
  for: { type: 'string' },
  cloud: { type: 'string', multiple: true },
  format: { type: 'string' },
  'fail-on': { type: 'string' },
  rule: { type: 'string', multiple: true },
  exclude: { type: 'string', multiple: true },
  notes: { type: 'boolean' },
  details: { type: 'boolean' },
  baseline: { type: 'string' },
  'write-baseline': { type: 'string' },
  fix: { type: 'boolean' },
  module: { type: 'string' },
  force: { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

const help = `Usage: cloud-profile-scan [PATH…] [options]

Finds code that binds an application to one cloud: hosts, token audiences, cloud names, clients without a cloud, and selections that reach no
third cloud. Reads the files that git tracks; without git, all files that no .gitignore excludes. Executes none of them.

  --for NAME|FILE        target cloud of the application: a built-in profile or a file. Its values are no findings
  --cloud FILE           profile file of a further cloud to recognize (repeatable; PLATFORM_KNOWN_CLOUDS names a folder of them)
  --format FORMAT        text, json, sarif, github or patch (default is text)
  --fail-on LEVEL        lowest level that fails: error, warning or note (default is warning)
  --rule RULE            report this rule only (repeatable)
  --exclude PATTERN      leave out these paths, as in a .gitignore (repeatable)
  --notes                list notes too, in SARIF and annotations as well
  --details              list every finding, however many there are
  --baseline FILE        omit the findings in this file, and name its entries that are gone
  --write-baseline FILE  write the findings to this file, and pass
  --fix                  write the changes that are certain, in files without changes of their own
  --module PATH          import the module of \`cloud-profile export\` from here in what --fix writes
  --force                let --fix change files with uncommitted changes
  --version, --help      print the version, this help

A comment \`cloud-profile-ignore: REASON\` in the line of a finding, or in the line above, omits the finding.
Exit code: 0 no findings, 1 findings, 2 usage error or an unreadable folder, 3 an internal error.
`

const formats = { text: formatText, json: formatJson, sarif: formatSarif, github: formatGithub }

/** Runs the command. @returns Its exit code. @throws {UsageError} for arguments that make no sense. */
export async function run(args: readonly string[], around: Surroundings): Promise<number> {
  const { values, positionals } = parse(args)
  if (values.help === true || values.version === true) {
    around.print(values.help === true ? help : `${VERSION}\n`)
    return 0
  }
  const format = choice('format', values.format ?? 'text', [...Object.keys(formats), 'patch'])
  const failOn = choice('fail-on', values['fail-on'] ?? 'warning', levels) as Level
  for (const rule of values.rule ?? []) choice('rule', rule, ruleIds)
  if (values.fix !== true && values.force === true) throw new UsageError('--force belongs to --fix')
  const profile = values.for === undefined ? undefined : profileFor(values.for)
  const baseline = values.baseline === undefined ? undefined : readBaseline(values.baseline)
  const clouds = [...(values.cloud ?? []), ...filesIn(around.env['PLATFORM_KNOWN_CLOUDS'])].map(readCloud)
  const started = performance.now()
  const result = await scanTree({
    paths: positionals,
    clouds,
    exclude: values.exclude ?? [],
    ...(profile && { profile }),
  })
  const wanted =
    values.rule === undefined ? result.findings : result.findings.filter(({ rule }) => values.rule?.includes(rule))
  const { left, stale } = baseline === undefined ? { left: wanted, stale: [] } : compareWithBaseline(wanted, baseline)
  const target = values['write-baseline']
  if (target !== undefined) writeFileSafely(target, forJson(createBaseline(wanted)))
  const hasNotes = values.notes === true || failOn === 'note'
  const report: ScanReport = {
    ...result,
    findings: left,
    known: wanted.length - left.length,
    stale,
    seconds: (performance.now() - started) / 1000,
    hasNotes,
    isDetailed: values.details === true,
    columns: around.columns,
    hasColors: around.hasColors,
  }
  const remaining = fix(report, values, format, around)
  if (format !== 'patch')
    around.print((formats[format as keyof typeof formats] ?? formatText)({ ...report, findings: remaining }))
  if (target === undefined && isFailure(remaining, failOn)) return 1
  return result.unreadable.length > 0 ? 2 : 0
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    throw new UsageError(
      `${error.message.split(/\. (?=[A-Z])|\n/)[0]?.replace(/\.$/, '') ?? ''}. Run it with --help for its options`,
      { cause: error },
    )
  }
}

function choice(name: string, value: string, choices: readonly string[]): string {
  if (!choices.includes(value))
    throw new UsageError(`--${name} must be one of ${choices.join(', ')}, but is ${JSON.stringify(value)}`)
  return value
}

/** Writes or prints the certain changes. @returns The findings that they leave. */
function fix(
  report: ScanReport,
  values: ReturnType<typeof parse>['values'],
  format: string,
  { print, note }: Surroundings,
): readonly Finding[] {
  if (values.fix !== true && format !== 'patch') return report.findings
  const files = changedFiles(report.root, report.findings, values.module)
  if (format === 'patch') print(formatPatch(files))
  if (values.fix !== true) return report.findings
  applyChanges(report.root, files, values.force === true)
  const fixed = new Set(files.flatMap(({ findings }) => findings))
  note(`Changed ${files.length} files: ${fixed.size} findings fixed`)
  return report.findings.filter((finding) => !fixed.has(finding))
}

function isFailure(findings: readonly Finding[], lowest: Level): boolean {
  return findings.some(({ level }) => levels.indexOf(level) <= levels.indexOf(lowest))
}

/** A built-in profile unchanged, or a file: the variables of this environment do not describe the cloud of the application. */
function profileFor(nameOrFile: string): CloudProfile {
  if (builtInProfileNames.includes(nameOrFile)) return explainProfile({ name: nameOrFile, env: {} }).profile
  const read = readRegularFile(nameOrFile, longestProfile)
  if ('reason' in read)
    throw new UsageError(
      `--for must be a built-in profile (${builtInProfileNames.join(', ')}) or the path of a profile file, but ${nameOrFile} is neither`,
    )
  return explainProfile({ customProfilePath: nameOrFile, env: {} }).profile
}

const longestProfile = 1_000_000

function readCloud(path: string): CloudDocument {
  const read = readRegularFile(path, longestProfile)
  if ('reason' in read) throw new UsageError(`The profile file ${path} ${read.reason}`)
  let document: unknown
  try {
    document = JSON.parse(read.bytes.toString('utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UsageError(`The profile file ${path} is not JSON`, { cause: error })
  }
  const name = (document as { readonly name?: unknown } | null)?.name
  if (typeof name !== 'string' || name === '') throw new UsageError(`The profile file ${path} has no name`)
  return document as CloudDocument
}

function filesIn(folder: string | undefined): readonly string[] {
  if (folder === undefined || folder.trim() === '') return []
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => join(folder, name))
  } catch (error) {
    throw new UsageError(`PLATFORM_KNOWN_CLOUDS names ${folder}, which cannot be read`, { cause: error })
  }
}
