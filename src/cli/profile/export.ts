import { parseArgs } from 'node:util'
import { exportFormats } from '../../lib/export/export-formats.ts'
import { exitCodes, UsageError, type ExitCode } from '../run-command.ts'
import { choose, explainChosen, profileOptions, profileOptionsHelp } from './arguments.ts'
import { note, printable } from './print.ts'

const usage = `Usage: npm run --silent profile -- export FORMAT [options]

Writes the profile in force for another tool. No export holds a secret.

${Object.entries(exportFormats)
  .map(([name, { what }]) => `  ${name.padEnd(18)} ${what}\n`)
  .join('')}
${profileOptionsHelp}
`

export async function exportTo(args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { ...profileOptions, help: { type: 'boolean' } },
    allowPositionals: true,
  })
  if (values.help) {
    process.stdout.write(usage)
    return exitCodes.passed
  }
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0) {
    throw new UsageError(`Name one format: ${Object.keys(exportFormats).join(', ')}`)
  }
  const { render } = choose('format', name, exportFormats)
  const { profile, warnings } = explainChosen(values)
  for (const { code, message } of warnings) note(`warning ${code}: ${printable(message)}`)
  process.stdout.write(render(profile))
  return exitCodes.passed
}
