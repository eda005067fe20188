import { execFile } from 'node:child_process'
import { copyFileSync, linkSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClouds } from '../packages/scan/src/clouds.ts'
import { findProgram } from '../src/lib/base/env.ts'
import { buildScan } from '../scripts/build/build-command-line.ts'
import type { Apps } from './apps.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { interleave, median } from './interleave.ts'
import { runProcess } from './processes/run-process.ts'
import type { Row } from './row.ts'

const rounds = 3
const sizes = { small: 10e6, medium: 100e6, large: 1000e6, parsed: 1000e6 } as const

/** What a tree of sources consists of. */
const sources = /\.(?:[cm]?[jt]sx?|json|md|css|html|yml|txt)$/

/** `scan` over a large tree of sources, beside the fastest search for the same values: ripgrep, where it is installed. */
export async function benchScan({ directory }: Apps): Promise<Row[]> {
  await buildScan(join(directory, 'scan'))
  const command = join(directory, 'scan/cloud-profile-scan.mjs')
  const values = join(directory, 'values.txt')
  writeFileSync(values, createClouds().hosts.join('\n'))
  const trees = Object.fromEntries(
    Object.entries(sizes).map(([name, bytes]) => [
      name,
      growTree(join(directory, `scan-${name}`), bytes, name === 'parsed'),
    ]),
  ) as Record<keyof typeof sizes, string>
  const baseline = join(directory, 'scan-baseline.json')
  const scan = (tree: keyof typeof sizes) =>
    runProcess(['--import', measured, command, '--write-baseline', baseline, trees[tree]], cleanEnvironment())
  const ripgrep = findProgram('rg', process.env)
  const runs = await interleave(rounds, {
    small: () => scan('small'),
    medium: () => scan('medium'),
    large: () => scan('large'),
    parsed: () => scan('parsed'),
    ripgrep: async () => ({
      duration: ripgrep === undefined ? Number.NaN : await timeOf(() => search(ripgrep, values, trees.large)),
      report: '',
    }),
  })
  const time = (name: keyof typeof runs) => median(runs[name].map(({ duration }) => duration))
  return [
    {
      value: time('large'),
      unit: 'ms',
      n: rounds,
      ...(ripgrep === undefined
        ? { measure: 'scan of 1 GB of sources: whole process (not compared: `rg` is not installed)' }
        : {
            measure: 'scan of 1 GB of sources: whole process',
            reference: { name: 'ripgrep', value: time('ripgrep') },
            target: { atMost: 3 },
            note: 'The command of the package; ripgrep (Debian) with the same values as literals, in any case, over the same files.',
          }),
    },
    {
      measure: 'scan of 1 GB of sources: largest resident memory',
      value: median(runs.parsed.map(({ report }) => Number(report) / 1000)),
      unit: 'MB',
      target: { atMost: 250 },
      n: rounds,
      note: 'With the sources of the Azure SDKs, of which most files are searched for constructs.',
    },
    {
      measure: 'scan: growth from 100 MB to 1,000 MB',
      value: time('large') - time('small'),
      unit: 'ms',
      reference: { name: '10 MB to 100 MB, ten times', value: 10 * (time('medium') - time('small')) },
      target: { atMost: 1.5 },
      n: rounds,
      note: 'Linear growth is 1.1.',
    },
  ]
}

/** Tells the memory that the command took: kilobytes, on file descriptor 3. */
const measured = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)))",
)}`

const search = (ripgrep: string, values: string, tree: string) =>
  promisify(execFile)(
    ripgrep,
    ['--no-ignore', '--hidden', '--count', '--fixed-strings', '--ignore-case', '--file', values, tree],
    { maxBuffer: 1 << 28 },
  ).catch((error: unknown) => {
    // Nothing found.
    if (!(error instanceof Error && 'code' in error && error.code === 1)) throw error
  })

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

/**
 * Links the sources of our packages into a folder, as often as it takes.
 *
 * @param hasSdks Whether those of the Azure SDKs are among them: most of their files are searched for constructs, as those of no application are.
 */
function growTree(folder: string, bytes: number, hasSdks: boolean): string {
  const packages = fileURLToPath(new URL('../node_modules', import.meta.url))
  let total = 0
  for (let round = 0; total < bytes; round++) {
    for (const entry of readdirSync(packages, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !sources.test(entry.name)) continue
      if (!hasSdks && entry.parentPath.includes('@azure')) continue
      const file = join(entry.parentPath, entry.name)
      const { size } = statSync(file)
      if (size > 2_000_000) continue
      const target = join(folder, `r${round}`, entry.parentPath.slice(packages.length))
      mkdirSync(target, { recursive: true })
      place(file, join(target, entry.name))
      total += size
      if (total >= bytes) break
    }
  }
  return folder
}

function place(file: string, target: string): void {
  try {
    linkSync(file, target)
  } catch {
    copyFileSync(file, target)
  }
}
