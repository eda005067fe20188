import { printable, printableJson } from '../../lib/base/printable.ts'
import { compareWithProfile, notCompared, type FieldComparison } from '../../lib/metadata/compare-with-profile.ts'
import { discoverWholeCloud } from '../../lib/metadata/discover-cloud.ts'
import type { CloudProfile } from '../../lib/profile/cloud-profile.ts'
import { loadAuthorities } from '../../lib/transport/certificate-authorities.ts'
import { explainChosen, profileOptions } from '../choose-profile.ts'
import { defineCommand, formatOption } from '../command.ts'
import { exitCodes } from '../exit.ts'
import { explainFailure, isMetadataFailure } from '../explain-failure.ts'
import { metadataTimeout } from '../metadata-timeout.ts'
import { formatTable, paint, wrap } from '../text.ts'
import type { Terminal } from '../terminal.ts'

/** A comparison, and the fields that could not be compared because one side lacks them. */
interface Drift {
  readonly name: string
  readonly metadataEndpoint: string
  readonly matches: boolean
  readonly fields: readonly FieldComparison[]
  readonly notCompared: readonly string[]
}

export const command = defineCommand({
  description:
    'Compares the active profile with the metadata of its live cloud, field by field. All audiences of the cloud count as ' +
    'equal. Final slashes, letter case of hosts, and the blob service in the storage suffix do not matter.',
  options: {
    ...profileOptions,
    format: formatOption(['text', 'json']),
  },
  notes: 'Exit code: 0 matches, 1 drifted or no valid response, 2 usage error or no metadata endpoint configured.',
  async run({ values }, terminal) {
    const { profile } = explainChosen(values, terminal.env)
    loadAuthorities(terminal.env)
    const found = await compareWithLiveCloud(profile, terminal)
    if (found === undefined) return exitCodes.failed
    terminal.print(values.format === 'json' ? printableJson(found) : formatText(found, terminal))
    return found.matches ? exitCodes.passed : exitCodes.failed
  },
})

/** An invalid response is a finding. A profile without a metadata endpoint is a configuration error. */
async function compareWithLiveCloud(profile: CloudProfile, { env, note }: Terminal): Promise<Drift | undefined> {
  try {
    const { metadata, warnings } = await discoverWholeCloud(profile, { env, timeoutMs: metadataTimeout(env) }).catch(
      explainFailure,
    )
    for (const warning of warnings) note(`warning: ${printable(warning)}`)
    const fields = compareWithProfile(profile, metadata)
    return {
      name: profile.name,
      metadataEndpoint: profile.metadataEndpoint ?? '',
      matches: fields.every(({ equal }) => equal),
      fields,
      notCompared: notCompared(profile, metadata),
    }
  } catch (error) {
    if (!isMetadataFailure(error)) throw error
    note(error.message)
    return undefined
  }
}

function formatText(
  { name, metadataEndpoint, matches, fields, notCompared }: Drift,
  { colors, width }: Terminal,
): string {
  const rows = fields.map(({ path, profile, metadata, equal }) => [
    equal ? paint('same', 'green', colors) : paint('DIFFERS', 'red', colors),
    path,
    printable(profile),
    printable(metadata),
  ])
  const summary = matches ? 'matches' : 'has drifted from'
  const after = [
    ...(notCompared.length === 0 ? [] : [`Not compared, because one side has no value: ${notCompared.join(', ')}`]),
    `${printable(name)} ${summary} ${printable(metadataEndpoint)}\n`,
  ].join('\n')
  return `${formatTable(['', 'Field', 'Profile', 'Metadata'], rows, width)}\n${wrap(after, width)}`
}
