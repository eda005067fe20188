import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { choose, defineCommand, execute, exitCodes } from '../src/cli/command.ts'
import { formatTable as formatColumns, type Progress } from '../src/cli/terminal.ts'
import { runProcess } from '../src/cli/run-process.ts'
import { installPackages } from '../scripts/install-packages.ts'
import { createApps, type Apps } from './apps.ts'
import { benchColdStart } from './cold-start.ts'
import { benchConnections } from './connections.ts'
import { benchDiagnostics } from './diagnostics.ts'
import { benchFirstToken } from './first-token.ts'
import { benchMemory } from './memory.ts'
import { benchPackage } from './package.ts'
import { benchProfileCheck } from './profile-check.ts'
import { benchServe } from './serve.ts'
import { figureOf, meetsTarget, type Row } from './row.ts'
import { benchSizes } from './sizes.ts'
import { benchSmokeTest } from './smoke-test.ts'
import { benchThroughput } from './throughput.ts'

// The benchmarks measure the bundle and the package, in separate processes of this machine. No shipped code imports them.

const benchmarks: Readonly<Record<string, (apps: Apps) => Promise<Row[]>>> = {
  'cold-start': benchColdStart,
  serve: benchServe,
  throughput: benchThroughput,
  'smoke-test': benchSmokeTest,
  package: benchPackage,
  sizes: benchSizes,
  memory: benchMemory,
  diagnostics: benchDiagnostics,
  'first-token': benchFirstToken,
  'profile-check': benchProfileCheck,
  connections: benchConnections,
}

const names = Object.keys(benchmarks)

const command = defineCommand({
  description: `Builds the bundle, measures it on this machine, and prints one table with targets.
NAME is one of ${names.join(', ')}; default is all.`,
  options: { json: { type: 'boolean', help: 'print the figures as JSON; use npm run --silent to redirect them' } },
  positionals: { name: '[NAME…]', most: Infinity, message: '' },
  notes: 'Exit code: 0 all targets met, 1 a target was missed, 2 usage error, 3 an internal error.',
  async run({ values, positionals }, { print, progress }) {
    for (const name of positionals) choose('benchmark', name, benchmarks)
    const chosen = Object.entries(benchmarks).filter(([name]) => positionals.length === 0 || positionals.includes(name))
    const rows = await measure(chosen, progress)
    print(values.json ? formatJson(rows) : formatTable(rows))
    return rows.some((row) => meetsTarget(row) === false) ? exitCodes.failed : exitCodes.passed
  },
})

async function measure(
  chosen: readonly (readonly [string, (apps: Apps) => Promise<Row[]>])[],
  progress: Progress,
): Promise<Row[]> {
  const rows: Row[] = []
  progress.show('building')
  installPackages('bench')
  const apps = await createApps()
  // Temporary files of the benchmarks are removed with the apps.
  process.env['TMPDIR'] = apps.directory
  removeOnSignal(apps.directory)
  try {
    for (const [index, [name, run]] of chosen.entries()) {
      progress.show(`${index + 1} of ${chosen.length} ${name}`)
      rows.push(...(await run(apps)))
    }
  } finally {
    progress.clear()
    await apps.remove()
  }
  return rows
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

const head = ['measure', 'median', 'against', 'its median', 'ratio', 'target', '', 'n']

/** A table for people, with notes below it. */
function formatTable(rows: readonly Row[]): string {
  const notes: string[] = []
  const lines = rows.map((row) => {
    const { measure, value, unit, reference, n, note } = row
    if (note !== undefined && !notes.includes(note)) notes.push(note)
    const mark = note === undefined ? '' : ` [${notes.indexOf(note) + 1}]`
    return [
      measure + mark,
      `${format(value)} ${unit}`,
      reference?.name ?? '',
      reference === undefined ? '' : `${format(reference.value)} ${unit}`,
      reference === undefined ? '' : figureOf(row).toFixed(2),
      formatTarget(row),
      { true: 'met', false: 'MISSED', undefined: '' }[`${meetsTarget(row)}`],
      String(n),
    ]
  })
  return [formatColumns(head, lines), ...notes.map((note, index) => `[${index + 1}] ${note}`), ''].join('\n')
}

function formatTarget({ target, reference, unit }: Row): string {
  if (target === undefined) return ''
  const suffix = reference === undefined ? ` ${unit}` : ''
  return 'atMost' in target ? `≤ ${target.atMost}${suffix}` : `≥ ${target.atLeast}${suffix}`
}

const format = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 100 ? 0 : 1)

function formatJson(rows: readonly Row[]): string {
  const machine = { node: process.version, platform: process.platform, processors: availableParallelism() }
  const results = rows.map((row) => ({ ...row, figure: figureOf(row), met: meetsTarget(row) ?? null }))
  return `${JSON.stringify({ ...machine, results }, undefined, 2)}\n`
}

await runProcess((terminal) => execute(command, process.argv.slice(2), terminal, 'npm run bench --'))
