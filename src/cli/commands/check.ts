import { cloudsOf } from '../../lib/profile/known-cloud-files.ts'
import { checkFile, type FileFinding } from '../check/check-file.ts'
import { jsonReport, textReport, type CheckReport } from '../check/check-report.ts'
import { knownCloudsOption } from '../choose-profile.ts'
import { defineCommand, formatOption } from '../command.ts'
import { exitCodes } from '../exit.ts'
import type { Terminal } from '../terminal.ts'

/** The library of a format is loaded only for this format. */
const formats: Readonly<Record<string, () => Promise<(terminal: Terminal) => CheckReport>>> = {
  text: async () => textReport,
  json: async () => jsonReport,
  sarif: async () => (await import('../check/sarif-report.ts')).sarifReport,
}

/** Milliseconds between two updates of the progress line. */
const progressInterval = 100

export const command = defineCommand({
  description:
    'Validates custom profile files, without the variables of this environment but PLATFORM_KNOWN_CLOUDS. A file that cannot be read is a finding.',
  options: {
    format: formatOption(Object.keys(formats)),
    ...knownCloudsOption,
    strict: { type: 'boolean', help: 'fail on placeholders and other warnings' },
  },
  positionals: { name: 'FILE…', least: 1, most: Infinity, message: 'Name at least one profile file' },
  notes: 'Exit code: 0 all passed, 1 a file failed, 2 usage error, 3 an internal error.',
  async run({ values, positionals }, terminal) {
    const report = (await formats[values.format]?.())?.(terminal)
    if (report === undefined) throw new Error(`No report ${values.format}`)
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
