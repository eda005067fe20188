import { printable } from '../../lib/base/printable.ts'
import { ServiceError } from '../../lib/errors.ts'
import { exportGroups } from '../../tools/export/define-export.ts'
import { exportFormats } from '../../tools/export/export-formats.ts'
import { placeholderFields } from '../../lib/profile/field-path.ts'
import { findWarnings } from '../../lib/variables.ts'
import { explainChosen, profileOptions } from '../choose-profile.ts'
import { choose, defineCommand, exitCodes, UsageError } from '../command.ts'
import { formatRows } from '../terminal.ts'

const names = Object.keys(exportFormats)
const oneFormat = `Name one format: ${names.join(', ')}`

/** What people type for a format, or for another command. */
const synonyms = { tf: 'terraform', pwsh: 'powershell', json: 'explain --format json', ts: 'typescript', cli: 'az' }

const everyFormat = Object.values(exportFormats)
const width = Math.max(...everyFormat.map(({ name }) => name.length))

/** Wrapped for a terminal of 80 columns. */
const groups = Object.entries(exportGroups).map(([group, title]) => {
  const rows = everyFormat.filter((format) => format.group === group).map(({ name, what }) => [name, what] as const)
  return `${title}:\n${formatRows(rows, 80, width)}`
})

export const command = defineCommand({
  description: `Writes the active profile for another tool. No export contains a secret.\n\n${groups.join('\n').trimEnd()}`,
  notes: 'docs/reference/exports.md lists what to add to each export by hand.',
  options: { ...profileOptions, force: { help: 'write a script even if the profile has placeholders' } },
  positionals: { name: 'FORMAT [NAME]', least: 1, most: 2, message: oneFormat, choices: names },
  async run({ values, positionals: [name = '', cloud] }, { env, printRaw, note }) {
    if (Object.hasOwn(exportFormats, cloud ?? '')) throw new UsageError(oneFormat)
    const { render, isScript } = choose('format', name, exportFormats, synonyms)
    const chosen = explainChosen(values, env, cloud)
    for (const { code, message } of await findWarnings(chosen, env)) note(`warning ${code}: ${printable(message)}`)
    const placeholders = placeholderFields(chosen.profile)
    if (isScript && !values.force && placeholders.length > 0) {
      throw new ServiceError(
        'PLACEHOLDER_PROFILE',
        `The script would configure placeholders. Replace ${placeholders.join(', ')}, or give --force`,
      )
    }
    // Each export has the escapes of its language.
    printRaw(render(chosen.profile))
    return exitCodes.passed
  },
})
