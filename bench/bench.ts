import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { createProgress } from '../src/cli/progress.ts'
import { exitCodes, runCommand, UsageError } from '../src/cli/run-command.ts'
import { createApps, type Apps } from './apps.ts'
import { benchColdStart } from './cold-start.ts'
import { benchDiagnostics } from './diagnostics.ts'
import { benchFirstToken } from './first-token.ts'
import { benchMemory } from './memory.ts'
import { benchProfileCheck } from './profile-check.ts'
import { figureOf, meetsTarget, type Row } from './row.ts'
import { benchSizes } from './sizes.ts'
import { benchSmokeTest } from './smoke-test.ts'
import { formatTable } from './table.ts'
import { benchThroughput } from './throughput.ts'

const benchmarks: Readonly<Record<string, (apps: Apps) => Promise<Row[]>>> = {
  'cold-start': benchColdStart,
  throughput: benchThroughput,
  'smoke-test': benchSmokeTest,
  sizes: benchSizes,
  memory: benchMemory,
  diagnostics: benchDiagnostics,
  'first-token': benchFirstToken,
  'profile-check': benchProfileCheck,
}

const usage = `Usage: npm run bench -- [NAME…] [--json]

Measures what the service promises, all on this machine, and fails when a target is missed.

  NAME      one of ${Object.keys(benchmarks).join(', ')}; all of them without one
  --json    the figures as JSON; use npm run --silent to redirect them
  --help    this text

Exit code: 0 all targets met, 1 a target was missed, 2 wrong usage, 3 a fault of this program.
`

// `npm run bench`: builds the bundle, measures it, and prints one table.
await runCommand(async () => {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  if (values.help) {
    process.stdout.write(usage)
    return exitCodes.passed
  }
  const unknown = positionals.find((name) => !Object.hasOwn(benchmarks, name))
  if (unknown !== undefined) throw new UsageError(`There is no benchmark ${JSON.stringify(unknown)}\n\n${usage}`)
  const chosen = Object.entries(benchmarks).filter(([name]) => positionals.length === 0 || positionals.includes(name))

  const rows = await measure(chosen)
  process.stdout.write(values.json ? formatJson(rows) : formatTable(rows))
  return rows.some((row) => meetsTarget(row) === false) ? exitCodes.failed : exitCodes.passed
})

async function measure(chosen: readonly (readonly [string, (apps: Apps) => Promise<Row[]>])[]): Promise<Row[]> {
  const progress = createProgress(process.stderr)
  const rows: Row[] = []
  progress.show('building')
  const apps = await createApps()
  // What a benchmark leaves in the temporary directory goes with the apps.
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

/** Processes that benchmarks started end by themselves when this one is gone. */
function removeOnSignal(directory: string): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      rmSync(directory, { recursive: true, force: true })
      process.exit(exitCodes.fault)
    })
  }
}

function formatJson(rows: readonly Row[]): string {
  const machine = { node: process.version, platform: process.platform, processors: availableParallelism() }
  const results = rows.map((row) => ({ ...row, figure: figureOf(row), met: meetsTarget(row) ?? null }))
  return `${JSON.stringify({ ...machine, results }, undefined, 2)}\n`
}
