import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { choose, defineCommand, execute, exitCodes } from '../src/cli/command.ts'
import { formatTable as formatColumns } from '../src/cli/terminal.ts'
import { runProcess } from '../src/cli/run-process.ts'
import { installPackages } from '../scripts/install-packages.ts'
import { createApps, type Apps } from './apps.ts'
import { benchColdStart } from './cold-start.ts'
import { benchConnections } from './connections.ts'
import { benchDiagnostics } from './diagnostics.ts'
import { benchFirstToken } from './first-token.ts'
import { otherLoad } from './machine.ts'
import { benchMemory } from './memory.ts'
import { benchPackage } from './package.ts'
import { benchProfileCheck } from './profile-check.ts'
import { benchServe } from './serve.ts'
import { figureOf, isMissed, type Row } from './row.ts'
import { benchSizes } from './sizes.ts'

// The benchmarks measure the bundle and the package, in separate processes of this machine. No shipped code imports them.

const groups: Readonly<Record<string, (apps: Apps) => Promise<Row[]>>> = {
  sizes: benchSizes,
  'cold-start': benchColdStart,
  package: benchPackage,
  'first-token': benchFirstToken,
  serve: benchServe,
  diagnostics: benchDiagnostics,
  memory: benchMemory,
  'profile-check': benchProfileCheck,
  connections: benchConnections,
}

/** A group with its rows. `load` says why its missed bounds don't count. */
interface Measured {
  readonly name: string
  readonly rows: readonly Row[]
  readonly load?: string | undefined
}

const command = defineCommand({
  description: `Builds the bundle, measures it on this machine, and prints each group when it is measured. Every row has one bound.
NAME is one of ${Object.keys(groups).join(', ')}; default is all, which takes at most six minutes on a quiet machine.`,
  options: { json: { help: 'print the figures as JSON; use npm run --silent to redirect them' } },
  positionals: { name: '[NAME…]', most: Infinity, message: '' },
  notes:
    'Exit code: 0 all bounds met, 1 a bound was missed, 2 usage error, 3 an internal error. On a machine with other load no missed bound counts.',
  async run({ values, positionals }, { print, note, show }) {
    for (const name of positionals) choose('benchmark', name, groups)
    const chosen = Object.entries(groups).filter(([name]) => positionals.length === 0 || positionals.includes(name))
    const began = performance.now()
    const all: Measured[] = []
    show('building')
    installPackages('bench')
    const apps = await createApps()
    // Temporary files of the benchmarks are removed with the apps.
    process.env['TMPDIR'] = apps.directory
    removeOnSignal(apps.directory)
    try {
      for (const [index, [name, run]] of chosen.entries()) {
        show(`${index + 1} of ${chosen.length} ${name}`)
        const measured = await measure(name, () => run(apps))
        all.push(measured)
        if (!values.json) print(formatGroup(measured))
      }
    } finally {
      await apps.remove()
    }
    if (values.json) print(formatJson(all))
    note(`Measured in ${Math.round((performance.now() - began) / 1000)} s`)
    const counts = all.filter(({ load }) => load === undefined)
    return counts.some(({ rows }) => rows.some(isMissed)) ? exitCodes.failed : exitCodes.passed
  },
})

/** Under load, a benchmark that fails doesn't count either. */
async function measure(name: string, run: () => Promise<Row[]>): Promise<Measured> {
  const before = await otherLoad()
  try {
    return { name, rows: await run(), load: before ?? (await otherLoad()) }
  } catch (error) {
    const load = before ?? (await otherLoad())
    if (load === undefined) throw error
    return { name, rows: [], load: `${load}; not measured: ${String(error)}` }
  }
}

/** The processes of the benchmarks end by themselves after this process. */
function removeOnSignal(directory: string): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      rmSync(directory, { recursive: true, force: true })
      process.exit(exitCodes.fault)
    })
  }
}

const head = ['measure', 'median', 'against', 'its median', 'figure', 'bound', '', 'n']

/** A table for people, with notes below it. */
function formatGroup({ name, rows, load }: Measured): string {
  const notes: string[] = []
  const lines = rows.map((row) => {
    const { measure, value, unit, reference, atMost, n, note } = row
    if (note !== undefined && !notes.includes(note)) notes.push(note)
    const mark = note === undefined ? '' : ` [${notes.indexOf(note) + 1}]`
    return [
      measure + mark,
      `${format(value)} ${unit}`,
      reference?.name ?? '',
      reference === undefined ? '' : `${format(reference.value)} ${unit}`,
      reference === undefined ? '' : figureOf(row).toFixed(2),
      `≤ ${atMost}${reference === undefined ? ` ${unit}` : ''}`,
      isMissed(row) ? (load === undefined ? 'MISSED' : 'missed under load') : 'met',
      String(n),
    ]
  })
  const loaded = load === undefined ? [] : [`This machine does other work (${load}), so a missed bound doesn't count.`]
  const texts = [...notes.map((note, index) => `[${index + 1}] ${note}`), ...loaded]
  return [`${name}\n${formatColumns(head, lines)}`, ...texts, '', ''].join('\n')
}

const format = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 100 ? 0 : 1)

function formatJson(all: readonly Measured[]): string {
  const machine = { node: process.version, platform: process.platform, processors: availableParallelism() }
  const results = all.flatMap(({ name, rows, load = null }) =>
    rows.map((row) => ({ group: name, ...row, figure: figureOf(row), met: !isMissed(row), load })),
  )
  return `${JSON.stringify({ ...machine, results }, undefined, 2)}\n`
}

await runProcess((terminal) => execute(command, process.argv.slice(2), terminal, 'npm run bench --'))
