import type { CloudFile } from '../../lib/clouds/cloud-file.ts'
import { isServiceError, type Warning } from '../../lib/errors.ts'
import { explainDocument } from '../../lib/profile/explained-profile.ts'
import { fields } from '../../lib/profile/field-path.ts'
import { lintProfile } from '../../lib/profile/lint-profile.ts'
import { InvalidProfileError, lineOf } from '../../lib/profile/parse-cloud-profile.ts'
import { readProfileFile } from '../../lib/profile/read-profile-file.ts'
import { cloudsOf } from '../../lib/profile/known-cloud-files.ts'
import { knownCloudsOption } from '../choose-profile.ts'
import { defineCommand, formatOption } from '../command.ts'
import { exitCodes } from '../exit.ts'
import { checkReports, type CheckReport, type FileFinding } from '../formats/check-reports.ts'
import type { Terminal } from '../terminal.ts'

/** Milliseconds between two updates of the progress line. */
const progressInterval = 100

export const command = defineCommand({
  description:
    'Validates custom profile files, without the variables of this environment but PLATFORM_KNOWN_CLOUDS. A file that cannot be read is a finding.',
  options: {
    format: formatOption(['text', 'json', 'sarif']),
    ...knownCloudsOption,
    strict: { type: 'boolean', help: 'fail on placeholders and other warnings' },
  },
  positionals: { name: 'FILE…', least: 1, most: Infinity, message: 'Name at least one profile file' },
  notes: 'Exit code: 0 all passed, 1 a file failed, 2 usage error, 3 an internal error.',
  async run({ values, positionals }, terminal) {
    const report = checkReports[values.format](terminal)
    const clouds = cloudsOf(terminal.env, values['known-clouds'])
    const check = (path: string) => checkFile(path, clouds)
    return checkFiles(positionals, check, values.strict, report, terminal) === 0 ? exitCodes.passed : exitCodes.failed
  },
})

/** @returns How many files failed. */
function checkFiles(
  paths: readonly string[],
  check: (path: string) => readonly FileFinding[],
  strict: boolean,
  report: CheckReport,
  { progress, sharesScreen }: Terminal,
): number {
  let failed = 0
  let withWarnings = 0
  let nextUpdate = 0
  for (const [index, path] of paths.entries()) {
    if (performance.now() >= nextUpdate) {
      progress.show(`${index} of ${paths.length} files`)
      nextUpdate = performance.now() + progressInterval
    }
    const findings = check(path)
    const warned = findings.some(({ level }) => level === 'warning')
    const passed = !findings.some(({ level }) => strict || level === 'error')
    if (!passed) failed += 1
    if (warned) withWarnings += 1
    if (sharesScreen) progress.clear()
    report.file(path, findings, passed)
  }
  progress.clear()
  report.end({ files: paths.length, failed, withWarnings })
  return failed
}

/** Checks one custom profile file, without the variables of this environment. A file that cannot be read is a finding too. */
function checkFile(path: string, clouds?: readonly CloudFile[]): FileFinding[] {
  try {
    const { profile, fields, warnings } = explainDocument(readProfileFile(path), { kind: 'file', path }, [])
    return [...warnings, ...lintProfile(profile, { origins: fields, clouds })].map(warningOf)
  } catch (error) {
    if (!isServiceError(error)) throw error
    if (!(error instanceof InvalidProfileError)) return [{ level: 'error', code: error.code, message: error.message }]
    const problems = error.problems.map(({ path, message }): FileFinding => {
      const field = path === '' ? {} : { field: path }
      return { level: 'error', code: error.code, ...field, message: lineOf({ path, message }) }
    })
    return [...problems, ...error.unknownFields.map(warningOf)]
  }
}

function warningOf({ code, message }: Warning): FileFinding {
  return { level: 'warning', code, ...fieldOf(message), message }
}

const topLevel: ReadonlySet<string> = new Set(fields.flatMap(({ path }) => (path.includes('.') ? [] : [path])))

/** The field at the start of a message, or in its quotes. */
function fieldOf(message: string): { readonly field?: string } {
  const word = /^(?:Unknown field "([^"]+)"|([\w.]+))/.exec(message)
  const field = word?.[1] ?? word?.[2]
  const known = word?.[1] !== undefined || topLevel.has(field?.split('.')[0] ?? '')
  return field !== undefined && known ? { field } : {}
}
