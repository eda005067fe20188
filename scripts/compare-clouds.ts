import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { equalUrls } from '../src/lib/base/address.ts'
import { textAt } from '../src/lib/base/json.ts'
import type { CloudFile } from '../src/lib/clouds/cloud-profile.ts'
import { resourceManagerAudiencesOf } from '../src/lib/clouds/equal-values.ts'
import { knownClouds } from '../src/lib/clouds/known-clouds.ts'
import { ownerOf } from '../src/lib/clouds/owner-of.ts'
import { equalValues } from '../src/lib/metadata/compare-with-profile.ts'
import type { FieldPath } from '../src/lib/profile/field-path.ts'
import { defineCommand, exitCodes } from '../src/cli/command.ts'
import { formatTable } from '../src/cli/terminal.ts'
import { cloudTables, fields, knownDifferences, type CloudTable } from './compare-clouds/tables.ts'
import { npmCommand } from './install-packages.ts'

export const command = defineCommand({
  description:
    'Compares the cloud files with the newest released packages that contain values of clouds, and prints each value that differs. ' +
    'npm, pip and go download the packages into a temporary folder.',
  options: {},
  notes: 'Exit code: 1 if a difference is new, or a known one is gone.',
  run(_given, { print, width }) {
    const folder = mkdtempSync(join(tmpdir(), 'compare-clouds-'))
    try {
      const comparisons = cloudTables.map((table) => {
        const { version, directory } = download[table.client](table.package, folder)
        const text = table.files.map((file) => readFileSync(join(directory, file), 'utf8')).join('\n')
        return { ...compareTable(table, text, knownClouds), version }
      })
      const { text, isCurrent } = describeComparisons(comparisons, width)
      print(text)
      return Promise.resolve(isCurrent ? exitCodes.passed : exitCodes.failed)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
})

type Download = (name: string, folder: string) => { readonly version: string; readonly directory: string }

/** The newest release of a package, unpacked below a folder by the client of its registry. */
const download: Readonly<Record<CloudTable['client'], Download>> = {
  npm(name, folder) {
    const [file, ...first] = npmCommand()
    const cwd = mkdtempSync(join(folder, 'npm-'))
    const options = ['--prefix', cwd, '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error']
    run(file, [...first, 'install', ...options, `${name}@latest`], cwd)
    const directory = join(cwd, 'node_modules', name)
    const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string }
    return { version, directory }
  },
  pip(name, folder) {
    const directory = mkdtempSync(join(folder, 'pip-'))
    const options = ['--quiet', '--root-user-action=ignore', '--no-deps', '--only-binary=:all:', '--target', directory]
    run('python3', ['-m', 'pip', 'install', ...options, name], folder)
    const metadata = readdirSync(directory).find((entry) => entry.endsWith('.dist-info')) ?? ''
    return { version: /-([^-]+)\.dist-info$/.exec(metadata)?.[1] ?? '', directory }
  },
  go(name, folder) {
    // Without this flag the module cache is read-only, and could not be removed.
    const env = { GOMODCACHE: join(folder, 'go'), GOFLAGS: '-modcacherw' }
    const output = run('go', ['mod', 'download', '-json', `${name}@latest`], folder, env)
    const { Version: version, Dir: directory } = JSON.parse(output) as { Version: string; Dir: string }
    return { version, directory }
  },
}

function run(file: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): string {
  return execFileSync(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
}

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

/** Compares the values in a package with the cloud files. @param text The files of the table. */
export function compareTable(table: CloudTable, text: string, clouds: readonly CloudFile[]) {
  let compared = 0
  const differences: Difference[] = []
  const add = (cloud: string, field: string, theirs: string, ours?: string): void => {
    const found = { package: table.package, cloud, field, theirs, ...(ours === undefined ? {} : { ours }) }
    const reason = knownDifferences.find((row) => isEqual(row, found))?.reason
    differences.push({ ...found, ...(reason === undefined ? {} : { reason }) })
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

type Comparison = ReturnType<typeof compareTable> & { readonly version: string }

/** Describes the differences. `isCurrent` says that they are exactly the known ones. */
export function describeComparisons(comparisons: readonly Comparison[], width?: number) {
  const differences = comparisons.flatMap((each) => each.differences)
  const fresh = differences.filter(({ reason }) => reason === undefined)
  const known = differences.filter(({ reason }) => reason !== undefined)
  const gone = knownDifferences.filter((row) => !differences.some((each) => isEqual(row, each)))
  const place = (row: Difference) => [row.package, row.cloud, row.field, row.ours ?? 'none', row.theirs]
  const places = ['Package', 'Cloud', 'Field', 'Cloud file', 'Package']
  const counts = comparisons.map((each) =>
    [each.package, each.version, each.compared, each.differences.length].map(String),
  )
  const sections: readonly (readonly [title: string, head: readonly string[], rows: readonly (readonly string[])[]])[] =
    [
      ['Compared', ['Package', 'Version', 'Values', 'Differences'], counts],
      ['New differences', places, fresh.map(place)],
      [
        'Known differences',
        [...places, 'Why the cloud file stays'],
        known.map((row) => [...place(row), row.reason ?? '']),
      ],
      ['Known differences that are gone: remove their rows', places, gone.map(place)],
    ]
  const parts = sections.flatMap(([title, head, rows]) =>
    rows.length === 0 ? [] : `${title}\n${formatTable(head, rows, width)}`,
  )
  return { text: `${parts.join('\n\n')}\n`, isCurrent: fresh.length === 0 && gone.length === 0 }
}
