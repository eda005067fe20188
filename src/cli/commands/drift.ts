import { printable, printableJson } from '../../lib/base/printable.ts'
import { compareWithProfile, fieldsOnOneSide } from '../../lib/metadata/compare-with-profile.ts'
import { explainChosen, profileOptions } from '../choose-profile.ts'
import { defineCommand, formatOption, exitCodes } from '../command.ts'
import { readLiveMetadata } from '../live-metadata.ts'
import { formatTable, paint, wrap } from '../terminal.ts'

export const command = defineCommand({
  description:
    'Compares the active profile with the metadata of its live cloud, field by field. All audiences of the cloud count as ' +
    'equal. Final slashes, letter case of hosts, and the blob service in the storage suffix do not matter.',
  options: { ...profileOptions, format: formatOption(['text', 'json']) },
  notes: 'Exit code: 0 matches, 1 drifted or no valid response, 2 usage error or no metadata endpoint configured.',
  async run({ values }, terminal) {
    const explained = explainChosen(values, terminal.env)
    const { profile } = explained
    const metadata = await readLiveMetadata(profile, terminal, () => explained)
    const { name, metadataEndpoint = '' } = profile
    const fields = compareWithProfile(profile, metadata)
    const matches = fields.every(({ equal }) => equal)
    const notCompared = fieldsOnOneSide(profile, metadata)
    if (values.format === 'json')
      terminal.print(printableJson({ name, metadataEndpoint, matches, fields, notCompared }))
    else {
      const { colors, width } = terminal
      const rows = fields.map(({ path, profile, metadata, equal }) => [
        equal ? paint('same', 'green', colors) : paint('DIFFERS', 'red', colors),
        path,
        printable(profile),
        printable(metadata),
      ])
      const after = [
        ...(notCompared.length === 0 ? [] : [`Not compared, because one side has no value: ${notCompared.join(', ')}`]),
        `${printable(name)} ${matches ? 'matches' : 'has drifted from'} ${printable(metadataEndpoint)}\n`,
      ].join('\n')
      terminal.printRaw(`${formatTable(['', 'Field', 'Profile', 'Metadata'], rows, width)}\n${wrap(after, width)}`)
    }
    return matches ? exitCodes.passed : exitCodes.failed
  },
})
