import { printable } from '../../lib/base/printable.ts'
import { describeSource, type ExplainedProfile } from '../../lib/profile/explained-profile.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'
import { findWarnings } from '../../lib/settings/find-warnings.ts'
import { isFipsMode } from '../../lib/settings/fips-mode.ts'
import { explainChosen, profileOptions } from '../choose-profile.ts'
import { defineCommand, formatOption } from '../command.ts'
import { exitCodes } from '../exit.ts'
import { formatTable, wrap } from '../text.ts'

export const command = defineCommand({
  description: 'Prints each field of the active profile: its value, its source, and the overridden values.',
  options: {
    ...profileOptions,
    format: formatOption(['text', 'json']),
  },
  async run({ values }, { env, width, print, note }) {
    const explained = explainChosen(values, env)
    const warnings = findWarnings(explained, env)
    if (values.format === 'json') {
      print(formatJson({ ...explained, warnings }))
      return exitCodes.passed
    }
    print(formatText(explained, width))
    for (const { code, message } of warnings) note(`warning ${code}: ${printable(message)}`)
    return exitCodes.passed
  },
})

function formatText({ source, selectedBy, fields }: ExplainedProfile, width: number): string {
  const rows = Object.entries(fields).map(([path, { value, from, overridden = [] }]) => [
    path,
    printable(value),
    printable(from),
    overridden.map((each) => printable(`${each.value} (${each.from})`)).join(', '),
  ])
  const table = formatTable(['Field', 'Value', 'From', 'Overridden'], rows, width)
  return `${wrap(printable(describeSource(source)), width)}\nSelected by: ${selectedBy}\n\n${table}`
}

function formatJson(explained: ExplainedProfile): string {
  const { disableInstanceDiscovery } = identityProviderOf(explained.profile)
  return `${JSON.stringify({ ...explained, disableInstanceDiscovery, fips: isFipsMode() }, undefined, 2)}\n`
}
