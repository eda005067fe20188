import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../src/lib/base/env.ts'
import { knownClouds } from '../src/lib/clouds/known-clouds.ts'
import { defineCommand, exitCodes } from '../src/cli/command.ts'
import { compareTable, describeComparisons } from './compare-clouds/compare-tables.ts'
import { cloudTables, type CloudTable } from './compare-clouds/tables.ts'
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
        const { version, directory } = download[table.client](table, folder)
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

interface Downloaded {
  readonly version: string
  readonly directory: string
}

/** The newest release of a package, unpacked below a folder by the client of its registry. */
const download: Readonly<Record<CloudTable['client'], (table: CloudTable, folder: string) => Downloaded>> = {
  npm({ package: name }, folder) {
    const [file, ...first] = npmCommand()
    const cwd = mkdtempSync(join(folder, 'npm-'))
    const options = ['--prefix', cwd, '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error']
    run(file, [...first, 'install', ...options, `${name}@latest`], cwd)
    const directory = join(cwd, 'node_modules', name)
    const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string }
    return { version, directory }
  },
  pip({ package: name }, folder) {
    const directory = mkdtempSync(join(folder, 'pip-'))
    const options = ['--quiet', '--root-user-action=ignore', '--no-deps', '--only-binary=:all:', '--target', directory]
    run(find('python3'), ['-m', 'pip', 'install', ...options, name], folder)
    const metadata = readdirSync(directory).find((entry) => entry.endsWith('.dist-info')) ?? ''
    return { version: /-([^-]+)\.dist-info$/.exec(metadata)?.[1] ?? '', directory }
  },
  go({ package: name }, folder) {
    // Without this flag the module cache is read-only, and could not be removed.
    const env = { GOMODCACHE: join(folder, 'go'), GOFLAGS: '-modcacherw' }
    const output = run(find('go'), ['mod', 'download', '-json', `${name}@latest`], folder, env)
    const { Version: version, Dir: directory } = JSON.parse(output) as { Version: string; Dir: string }
    return { version, directory }
  },
}

function find(program: string): string {
  const file = findProgram(program, process.env)
  if (file === undefined) throw new Error(`Install ${program}, which downloads packages for the comparison`)
  return file
}

function run(file: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): string {
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  return execFileSync(file, args, { cwd, env: { ...process.env, ...env }, stdio: [...stdio], encoding: 'utf8' })
}
