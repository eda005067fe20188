import { existsSync, readFileSync } from 'node:fs'
import { writeNewFile } from '../../lib/base/write-new-file.ts'
import { builtInProfileNames } from '../../lib/profile/built-in-profiles.ts'
import type { CloudProfile } from '../../lib/profile/cloud-profile.ts'
import { explainProfile } from '../../lib/profile/resolve-cloud-profile.ts'
import { Baseline, createBaseline, withoutKnown } from '../../scan/baseline.ts'
import { levels, type Level, type ScanCounts, type ShownFinding } from '../../scan/finding.ts'
import { scanTree } from '../../scan/scan-tree.ts'
import { defineCommand, formatOption } from '../command.ts'
import { exitCodes, UsageError, type ExitCode } from '../exit.ts'
import type { ScanReport } from '../scan/scan-report.ts'
import type { Terminal } from '../terminal.ts'

/** The code of a format is loaded only for this format. */
const formats: Readonly<Record<string, () => Promise<(report: ScanReport, terminal: Terminal) => void>>> = {
  text: async () => (await import('../scan/text-report.ts')).printText,
  json: async () => (await import('../scan/json-report.ts')).printJson,
  sarif: async () => (await import('../scan/sarif-report.ts')).printSarif,
  github: async () => (await import('../scan/github-report.ts')).printGithub,
}

/** Milliseconds between two updates of the progress line. */
const progressInterval = 100

export const command = defineCommand({
  description:
    'Finds code that binds an application to one cloud: hosts, token audiences, cloud names, and clients without a cloud setting. ' +
    'Reads the files that git tracks; without git, all files that no .gitignore excludes. Executes none of them.',
  options: {
    for: {
      type: 'string',
      value: 'NAME|FILE',
      help: 'target cloud of the application: a built-in profile or a file. Its values are no findings',
    },
    format: formatOption(['text', 'json', 'sarif', 'github']),
    'fail-on': {
      type: 'string',
      value: 'LEVEL',
      help: 'lowest level that fails',
      default: 'warning',
      choices: levels,
    },
    baseline: { type: 'string', value: 'FILE', help: 'omit the findings in this file' },
    'write-baseline': { type: 'string', value: 'FILE', help: 'write the findings to this file, and pass' },
  },
  positionals: { name: '[PATH…]', most: Infinity, message: 'Name files or folders' },
  notes:
    'A comment `cloud-profile-ignore: REASON` in the line of a finding, or in the line above, omits the finding.\n' +
    'Exit code: 0 no findings, 1 findings, 2 usage error or an unreadable folder, 3 an internal error.',
  async run({ values, positionals }, terminal) {
    const print = await formats[values.format]?.()
    if (print === undefined) throw new Error(`No format ${values.format}`)
    const profile = values.for === undefined ? undefined : profileFor(values.for)
    const baseline = values.baseline === undefined ? undefined : readBaseline(values.baseline)
    const started = performance.now()
    const { findings, ...result } = await scanTree({
      paths: positionals,
      ...(profile && { profile }),
      onProgress: showProgress(terminal),
    })
    terminal.progress.clear()
    const left = baseline === undefined ? findings : withoutKnown(findings, baseline)
    const seconds = (performance.now() - started) / 1000
    const target = values['write-baseline']
    if (target !== undefined) writeBaseline(target, findings)
    print(
      {
        ...result,
        findings: left,
        known: findings.length - left.length,
        seconds,
        listsNotes: values['fail-on'] === 'note',
      },
      terminal,
    )
    if (target === undefined && failing(left, values['fail-on'])) return exitCodes.failed
    return endOf(result.unreadable.length)
  },
})

function endOf(unreadable: number): ExitCode {
  return unreadable > 0 ? exitCodes.usage : exitCodes.passed
}

function failing(findings: readonly ShownFinding[], lowest: Level): boolean {
  const limit = levels.indexOf(lowest)
  return findings.some(({ level }) => levels.indexOf(level) <= limit)
}

/** A built-in profile unchanged, or a file: the variables of this environment do not describe the cloud of the application. */
function profileFor(nameOrFile: string): CloudProfile {
  if (builtInProfileNames.includes(nameOrFile)) return explainProfile({ name: nameOrFile, env: {} }).profile
  if (!existsSync(nameOrFile)) {
    throw new UsageError(
      `--for must be a built-in profile (${builtInProfileNames.join(', ')}) or the path of a profile file, but ${nameOrFile} is neither`,
    )
  }
  return explainProfile({ customProfilePath: nameOrFile, env: {} }).profile
}

function readBaseline(path: string): Baseline {
  let document: unknown
  try {
    document = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    throw new UsageError(`The baseline ${path} ${reason}; write it with --write-baseline`, { cause: error })
  }
  const { success, data } = Baseline.safeParse(document)
  if (!success) throw new UsageError(`${path} is not a baseline of this command; write a new one with --write-baseline`)
  return data
}

function writeBaseline(path: string, findings: readonly ShownFinding[]): void {
  writeNewFile(path, `${JSON.stringify(createBaseline(findings), undefined, 2)}\n`, { force: true })
}

function showProgress({ progress }: Terminal): (counts: ScanCounts) => void {
  let nextUpdate = 0
  return ({ files, bytes }) => {
    if (performance.now() < nextUpdate) return
    progress.show(`${files} files, ${Math.round(bytes / 1e6)} MB`)
    nextUpdate = performance.now() + progressInterval
  }
}
