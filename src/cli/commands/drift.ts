import { printable, printableJson } from '../../lib/base/printable.ts'
import { compareWithProfile, fieldsOnOneSide, type FieldComparison } from '../../lib/metadata/compare-with-profile.ts'
import { explainChosen, profileOptions } from '../choose-profile.ts'
import { defineCommand, formatOption, exitCodes } from '../command.ts'
import { explainFailure, readLiveMetadata } from '../live-metadata.ts'
import { formatTable, paint, wrap, type Terminal } from '../terminal.ts'

/** A comparison, and the fields that only one side has. */
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
  options: { ...profileOptions, format: formatOption(['text', 'json']) },
  notes: 'Exit code: 0 matches, 1 drifted or no valid response, 2 usage error or no metadata endpoint configured.',
  async run({ values }, terminal) {
    const explained = explainChosen(values, terminal.env)
    const { profile } = explained
    const metadata = await readLiveMetadata(profile, terminal).catch(async (error: unknown) => {
      throw await explainFailure(error, explained)
    })
    const fields = compareWithProfile(profile, metadata)
    const found: Drift = {
      name: profile.name,
      metadataEndpoint: profile.metadataEndpoint ?? '',
      matches: fields.every(({ equal }) => equal),
      fields,
      notCompared: fieldsOnOneSide(profile, metadata),
    }
    terminal.printRaw(values.format === 'json' ? printableJson(found) : formatText(found, terminal))
    return found.matches ? exitCodes.passed : exitCodes.failed
  },
})

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
