import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../src/lib/base/env.ts'
import { appDirectory } from '../src/cli/app-directory.ts'

/** Installs the packages of a folder that has a separate lockfile, if they are missing or older than the lockfile. */
export function installPackages(folder: string): void {
  const lock = join(appDirectory, folder, 'package-lock.json')
  const installed = join(appDirectory, folder, 'node_modules/.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  const [file, ...first] = npmCommand()
  execFileSync(file, [...first, 'ci', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: join(appDirectory, folder),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** The npm that runs this script. On Windows any other npm needs a shell. */
export function npmCommand(): readonly [file: string, ...first: string[]] {
  const script = process.env['npm_execpath'] ?? ''
  return /\bnpm-cli\.c?js$/.test(script) ? [process.execPath, script] : [findProgram('npm', process.env) ?? '']
}
