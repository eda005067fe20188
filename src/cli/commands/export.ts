import { printable } from '../../lib/base/printable.ts'
import { ServiceError } from '../../lib/errors.ts'
import { exportFormats } from '../../lib/export/export-formats.ts'
import { placeholderFields } from '../../lib/profile/placeholders.ts'
import { findWarnings } from '../../lib/settings/find-warnings.ts'
import { explainChosen, profileOptions } from '../choose-profile.ts'
import { choose, defineCommand } from '../command.ts'
import { exitCodes } from '../exit.ts'

const names = Object.keys(exportFormats)
const width = Math.max(...names.map((name) => name.length))
const formats = Object.entries(exportFormats).map(([name, { what }]) => `  ${name.padEnd(width)}  ${what}\n`)

export const command = defineCommand({
  description: `Writes the active profile for another tool. No export contains a secret.\n\n${formats.join('').trimEnd()}`,
  options: {
    ...profileOptions,
    force: { type: 'boolean', help: 'write a script although the profile has placeholders' },
  },
  positionals: { name: 'FORMAT', least: 1, most: 1, message: `Name one format: ${names.join(', ')}` },
  async run({ values, positionals: [name = ''] }, { env, print, note }) {
    const { render, isScript = false } = choose('format', name, exportFormats)
    const chosen = explainChosen(values, env)
    for (const { code, message } of findWarnings(chosen, env)) note(`warning ${code}: ${printable(message)}`)
    const placeholders = placeholderFields(chosen.profile)
    if (isScript && !values.force && placeholders.length > 0) {
      throw new ServiceError(
        'PLACEHOLDER_PROFILE',
        `The script would configure placeholders. Replace ${placeholders.join(', ')}, or give --force`,
      )
    }
    print(render(chosen.profile))
    return exitCodes.passed
  },
})
