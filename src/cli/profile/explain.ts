import { parseArgs } from 'node:util'
import { lintProfile } from '../../lib/profile/lint-profile.ts'
import { describeSource, type ExplainedProfile } from '../../lib/profile/explained-profile.ts'
import { shouldDisableInstanceDiscovery } from '../../lib/profile/instance-discovery.ts'
import { exitCodes, type ExitCode } from '../run-command.ts'
import { choose, explainChosen, profileOptions, profileOptionsHelp } from './arguments.ts'
import { formatTable, note, printable } from './print.ts'

const usage = `Usage: npm run profile -- explain [options]

Shows each field of the profile in force: its value, where it comes from, and the values it beat.

${profileOptionsHelp}
  --format FORMAT    text (default) or json
`

const formats: Readonly<Record<string, (explained: ExplainedProfile) => string>> = {
  text: formatText,
  json: formatJson,
}

export async function explain(args: readonly string[]): Promise<ExitCode> {
  const { values } = parseArgs({
    args: [...args],
    options: { ...profileOptions, format: { type: 'string', default: 'text' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    process.stdout.write(usage)
    return exitCodes.passed
  }
  const format = choose('format', values.format, formats)
  const explained = explainChosen(values)
  const warnings = [...explained.warnings, ...lintProfile(explained.profile, process.env)]
  process.stdout.write(format({ ...explained, warnings }))
  if (format === formatText) for (const { code, message } of warnings) note(`warning ${code}: ${printable(message)}`)
  return exitCodes.passed
}

function formatText({ source, fields }: ExplainedProfile): string {
  const rows = Object.entries(fields).map(([path, { value, from, beat = [] }]) => [
    path,
    shorten(printable(value)),
    printable(from),
    beat.map((loser) => printable(`${loser.value} (${loser.from})`)).join(', '),
  ])
  return `${printable(describeSource(source))}\n\n${formatTable(['Field', 'Value', 'From', 'Beat'], rows)}`
}

function formatJson(explained: ExplainedProfile): string {
  const disableInstanceDiscovery = shouldDisableInstanceDiscovery(explained.profile.authorityHost)
  return `${JSON.stringify({ ...explained, disableInstanceDiscovery }, undefined, 2)}\n`
}

/** Notes would push the other columns off the screen; JSON has all of them. */
function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 99)}…` : text
}
