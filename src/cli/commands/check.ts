import { checkFile } from '../check/check-file.ts'
import { jsonReport, textReport, type CheckReport } from '../check/check-report.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit.ts'
import type { Terminal } from '../terminal.ts'

/** Each format brings its library along only when it is asked for. */
const formats: Readonly<Record<string, () => Promise<(terminal: Terminal) => CheckReport>>> = {
  text: async () => textReport,
  json: async () => jsonReport,
  sarif: async () => (await import('../check/sarif-report.ts')).sarifReport,
}

/** Milliseconds between two updates of the progress line. */
const progressInterval = 100

export const command = defineCommand({
  about:
    'Validates custom profile files as they stand, whatever this environment sets. Files that cannot be read are findings.',
  options: {
    format: { type: 'string', value: 'FORMAT', help: 'how', default: 'text', choices: Object.keys(formats) },
    strict: { type: 'boolean', help: 'placeholders and other warnings fail' },
  },
  positionals: { name: 'FILE…', least: 1, most: Infinity, wrong: 'Name at least one profile file' },
  notes: 'Exit code: 0 all passed, 1 a file failed, 2 wrong usage, 3 a fault of this program.',
  async run({ values, positionals }, terminal) {
    const report = (await formats[values.format]?.())?.(terminal)
    if (report === undefined) throw new Error(`No report ${values.format}`)
    return checkFiles(positionals, values.strict, report, terminal) === 0 ? exitCodes.passed : exitCodes.failed
  },
})

/** @returns How many files failed. */
function checkFiles(
  paths: readonly string[],
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
    const findings = checkFile(path)
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
