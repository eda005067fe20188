import type { CloudFile } from '../../src/lib/clouds/cloud-profile.ts'
import { formatTable } from '../../src/cli/terminal.ts'
import { textAt } from '../../src/lib/base/json.ts'
import { equalUrls } from '../../src/lib/base/address.ts'
import { resourceManagerAudiencesOf } from '../../src/lib/clouds/equal-values.ts'
import { ownerOf } from '../../src/lib/clouds/owner-of.ts'
import { equalValues } from '../../src/lib/metadata/compare-with-profile.ts'
import type { FieldPath } from '../../src/lib/profile/field-path.ts'
import { fields, knownDifferences, type CloudTable } from './tables.ts'

/** A value of a package that differs from the cloud file. */
interface Difference {
  readonly package: string
  /** The name of the cloud file, or for a cloud without a file its name in the package. */
  readonly cloud: string
  readonly field: string
  readonly ours?: string
  readonly theirs: string
  /** Why the cloud file keeps its value. Absent for a new difference. */
  readonly reason?: string
}

interface Comparison {
  readonly package: string
  /** The number of compared values. */
  readonly compared: number
  readonly differences: readonly Difference[]
}

/** Compares the values in a package with the cloud files. @param text The files of the table. */
export function compareTable(table: CloudTable, text: string, clouds: readonly CloudFile[]): Comparison {
  let compared = 0
  const differences: Difference[] = []
  const add = (cloud: string, field: string, theirs: string, ours?: string): void => {
    const found = { package: table.package, cloud, field, theirs, ...(ours === undefined ? {} : { ours }) }
    const known = knownDifferences.find((row) => isEqual(row, found))
    differences.push(known === undefined ? found : { ...found, reason: known.reason })
  }
  for (const { name, values } of table.read(text)) {
    const cloud = cloudOf(name, clouds)
    if (cloud === undefined) {
      if (!table.isPartial) add(name, 'the whole cloud', 'has no file here')
      continue
    }
    for (const [key, theirs] of values) {
      const field = fields.get(`${table.package} ${key}`)
      if (field === undefined || theirs === 'N/A') continue
      compared++
      const ours = textAt(cloud, field)
      if (!isSame(cloud, field, ours, theirs)) add(cloud.name, field, theirs, ours)
    }
  }
  return { package: table.package, compared, differences }
}

const isEqual = (one: Difference, other: Difference): boolean =>
  (['package', 'cloud', 'field', 'theirs'] as const).every((key) => one[key] === other[key])

/** Finds a cloud by its name in a tool, or by its login authority. */
function cloudOf(name: string, clouds: readonly CloudFile[]): CloudFile | undefined {
  const isNamed = ({ toolNames = {} }: CloudFile) =>
    Object.values(toolNames).some((each) => each.toLowerCase() === name.toLowerCase())
  return clouds.find(isNamed) ?? (name.includes('.') ? ownerOf(name, clouds)?.clouds[0] : undefined)
}

function isSame(cloud: CloudFile, field: FieldPath, ours: string | undefined, theirs: string): boolean {
  // The cloud file also lists aliases of the authority and of the resource manager.
  if (field === 'authorityHost') return ownerOf(theirs, [cloud]) !== undefined
  if (field === 'resourceManagerAudience')
    return resourceManagerAudiencesOf(cloud).some((each) => equalUrls(each, theirs))
  return ours !== undefined && equalValues(field, ours, theirs) === true
}

/** Describes the differences. `isCurrent` says that they are exactly the known ones. */
export function describeComparisons(
  comparisons: readonly (Comparison & { readonly version: string })[],
  width?: number,
): { readonly text: string; readonly isCurrent: boolean } {
  const differences = comparisons.flatMap((each) => each.differences)
  const fresh = differences.filter(({ reason }) => reason === undefined)
  const gone = knownDifferences.filter((row) => !differences.some((each) => isEqual(row, each)))
  const section = (title: string, head: readonly string[], rows: readonly (readonly string[])[]) =>
    rows.length === 0 ? [] : [`${title}\n${formatTable(head, rows, width)}`]
  const place = (row: Omit<Difference, 'reason'>) => [row.package, row.cloud, row.field, row.ours ?? 'none', row.theirs]
  const places = ['Package', 'Cloud', 'Field', 'Cloud file', 'Package']
  const counts = comparisons.map((each) => [
    each.package,
    each.version,
    ...[each.compared, each.differences.length].map(String),
  ])
  const parts = [
    ...section('Compared', ['Package', 'Version', 'Values', 'Differences'], counts),
    ...section('New differences', places, fresh.map(place)),
    ...section(
      'Known differences',
      [...places, 'Why the cloud file stays'],
      differences.flatMap((row) => (row.reason === undefined ? [] : [[...place(row), row.reason]])),
    ),
    ...section('Known differences that are gone: remove their rows', places, gone.map(place)),
  ]
  return { text: `${parts.join('\n\n')}\n`, isCurrent: fresh.length === 0 && gone.length === 0 }
}
