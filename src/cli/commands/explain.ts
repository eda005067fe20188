import { printable, printableJson } from '../../lib/base/printable.ts'
import type { Warning } from '../../lib/errors.ts'
import { describeSource, type ExplainedProfile } from '../../lib/profile/explained-profile.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'
import { hostingNotes } from '../../lib/profile/lint-profile.ts'
import { findWarnings } from '../../lib/settings/find-warnings.ts'
import { validSettings } from '../../lib/settings/settings.ts'
import type { Settings } from '../../lib/settings/settings.ts'
import { isFipsMode } from '../../lib/settings/node-requirements.ts'
import {
  addedAuthorities,
  describeAdded,
  loadAuthorities,
  type AddedAuthorities,
} from '../../lib/transport/certificate-authorities.ts'
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
  notes: 'Exit code: 0 explained, 2 usage or configuration error: a setting that is not valid is named on stderr.',
  async run({ values }, { env, width, print, note }) {
    const explained = explainChosen(values, env)
    const settings = validSettings(env, note)
    const warnings = await findWarnings(explained, env, settings)
    const notes = hostingNotes(explained.profile)
    const mode = settings && { authMode: settings.authMode, authModeFrom: settings.authModeFrom }
    // The table is complete without the settings, but nothing starts with them.
    const code = settings === undefined ? exitCodes.usage : exitCodes.passed
    loadAuthorities(env)
    const trust = addedAuthorities(env)
    if (values.format === 'json') {
      print(toJson({ ...explained, ...mode, warnings, notes, trust }))
      return code
    }
    print(formatText({ ...explained, ...mode, trust }, width))
    for (const { code, message } of warnings) note(`warning ${code}: ${printable(message)}`)
    for (const { code, message } of notes) note(`note ${code}: ${message}`)
    return code
  },
})

/** Absent for settings that are not valid. */
type Mode = Partial<Pick<Settings, 'authMode' | 'authModeFrom'>>

interface Explained extends ExplainedProfile, Mode {
  readonly trust: readonly AddedAuthorities[]
}

function formatText({ source, selectedBy, authMode, authModeFrom, fields, trust }: Explained, width: number): string {
  const rows = Object.entries(fields).map(([path, { value, from, overridden = [] }]) => [
    path,
    printable(value),
    printable(from),
    overridden.map((each) => printable(`${each.value} (${each.from})`)).join(', '),
  ])
  const mode = authMode === undefined ? [] : [`Auth mode: ${authMode} (from ${authModeFrom})`]
  const authorities = trust.map((each) => `Certificate authorities of ${describeAdded(each)}`)
  const lead = [printable(describeSource(source)), `Selected by: ${selectedBy}`, ...mode, ...authorities]
  const table = formatTable(['Field', 'Value', 'From', 'Overridden'], rows, width)
  return `${lead.map((line) => wrap(line, width)).join('\n')}\n\n${table}`
}

/** Fields of the JSON format alone: in text, they are lines of stderr. */
interface Listed {
  readonly warnings: readonly Warning[]
  readonly notes: readonly Warning[]
}

function toJson({ trust, ...explained }: Explained & Listed): string {
  const { disableInstanceDiscovery } = identityProviderOf(explained.profile)
  return printableJson({ ...explained, disableInstanceDiscovery, fips: isFipsMode(), certificateAuthorities: trust })
}
