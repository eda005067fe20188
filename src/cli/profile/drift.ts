import { parseArgs } from 'node:util'
import { isServiceError } from '../../lib/errors.ts'
import { comparisons, compareWithProfile, type FieldComparison } from '../../lib/metadata/compare-with-profile.ts'
import { discoverCloud } from '../../lib/metadata/discover-cloud.ts'
import type { CloudProfile } from '../../lib/profile/cloud-profile.ts'
import { exitCodes, type ExitCode } from '../run-command.ts'
import { choose, explainChosen, profileOptions, profileOptionsHelp } from './arguments.ts'
import { formatTable, hasColors, note, paint, printable } from './print.ts'

const usage = `Usage: npm run profile -- drift [options]

Holds the profile in force against the metadata of its live cloud, field by field. Any audience of the cloud counts as
equal, and so do final slashes, letter case of hosts, and the storage suffix with or without its blob service.

${profileOptionsHelp}
  --format FORMAT    text (default) or json

Exit code: 0 in step, 1 drifted or no usable answer, 2 wrong usage or no metadata endpoint configured.
`

/** A comparison with what could not be compared, because one side does not say. */
interface Drift {
  readonly name: string
  readonly metadataEndpoint: string
  readonly inStep: boolean
  readonly fields: readonly FieldComparison[]
  readonly notCompared: readonly string[]
}

const formats: Readonly<Record<string, (drift: Drift) => string>> = {
  text: formatText,
  json: (drift) => `${JSON.stringify(drift, undefined, 2)}\n`,
}

export async function drift(args: readonly string[]): Promise<ExitCode> {
  const { values } = parseArgs({
    args: [...args],
    options: { ...profileOptions, format: { type: 'string', default: 'text' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    process.stdout.write(usage)
    return exitCodes.passed
  }
  const format = choose('format', values.format, formats)
  const { profile } = explainChosen(values)
  const found = await compareWithLiveCloud(profile)
  if (found === undefined) return exitCodes.failed
  process.stdout.write(format(found))
  return found.inStep ? exitCodes.passed : exitCodes.failed
}

/** A cloud that gives no usable answer is a finding; a profile without a metadata endpoint is a matter of configuration. */
async function compareWithLiveCloud(profile: CloudProfile): Promise<Drift | undefined> {
  try {
    const fields = compareWithProfile(profile, await discoverCloud(profile))
    const compared = new Set<string>(fields.map(({ path }) => path))
    return {
      name: profile.name,
      metadataEndpoint: profile.metadataEndpoint ?? '',
      inStep: fields.every(({ equal }) => equal),
      fields,
      notCompared: Object.keys(comparisons).filter((path) => !compared.has(path)),
    }
  } catch (error) {
    if (!isServiceError(error) || !error.code.startsWith('METADATA_') || error.code === 'METADATA_NOT_CONFIGURED') {
      throw error
    }
    note(`${error.code}: ${printable(error.message)}`)
    return undefined
  }
}

function formatText({ name, metadataEndpoint, inStep, fields, notCompared }: Drift): string {
  const colors = hasColors(process.stdout)
  const rows = fields.map(({ path, profile, metadata, equal }) => [
    equal ? paint('same', 'green', colors) : paint('DIFFERS', 'red', colors),
    path,
    printable(profile),
    printable(metadata),
  ])
  const summary = inStep ? 'is in step with' : 'has drifted from'
  return [
    formatTable(['', 'Field', 'Profile', 'Metadata'], rows),
    ...(notCompared.length === 0 ? [] : [`Not compared, because one side does not say: ${notCompared.join(', ')}`]),
    `${printable(name)} ${summary} ${printable(metadataEndpoint)}\n`,
  ].join('\n')
}
