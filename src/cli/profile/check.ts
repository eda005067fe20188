import { parseArgs } from 'node:util'
import { createProgress } from '../progress.ts'
import { exitCodes, UsageError, type ExitCode } from '../run-command.ts'
import { choose } from './arguments.ts'
import { checkFile } from './check-file.ts'
import { jsonReport, textReport, type CheckReport, type Write } from './check-report.ts'

const usage = `Usage: npm run profile -- check FILE… [options]

Validates custom profile files as they stand, whatever this environment sets. Files that cannot be read are findings.

  --format FORMAT    text (default), json or sarif
  --strict           placeholders and other warnings fail

Exit code: 0 all passed, 1 a file failed, 2 wrong usage, 3 a fault of this program.
`

const formats: Readonly<Record<string, () => Promise<(write: Write) => CheckReport>>> = {
  text: async () => textReport,
  json: async () => jsonReport,
  sarif: async () => (await import('./sarif-report.ts')).sarifReport,
}

/** Milliseconds between two updates of the progress line. */
const progressInterval = 100

export async function check(args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      format: { type: 'string', default: 'text' },
      strict: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  if (values.help) {
    process.stdout.write(usage)
    return exitCodes.passed
  }
  if (positionals.length === 0) throw new UsageError('Name at least one profile file')
  const format = await choose('format', values.format, formats)()
  const report = format((text) => process.stdout.write(text))
  return checkFiles(positionals, values.strict, report) === 0 ? exitCodes.passed : exitCodes.failed
}

/** @returns How many files failed. */
function checkFiles(paths: readonly string[], strict: boolean, report: CheckReport): number {
  const progress = createProgress(process.stderr)
  const sharesScreen = process.stdout.isTTY
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
