import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { appDirectory } from '../src/cli/app-directory.ts'

/** Installs the packages of a folder with its own lockfile, which only some scripts need, unless they are there already. */
export function installPackages(folder: string): void {
  const lock = join(appDirectory, folder, 'package-lock.json')
  const installed = join(appDirectory, folder, 'node_modules/.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  const args = ['ci', '--loglevel=error', '--no-audit', '--no-fund']
  // npm says where it is. On Windows no other npm can be started without a shell.
  const script = process.env['npm_execpath'] ?? ''
  const [file, ...first] = /\bnpm-cli\.c?js$/.test(script) ? [process.execPath, script] : ['npm']
  execFileSync(file, [...first, ...args], { cwd: join(appDirectory, folder), stdio: ['ignore', 'ignore', 'inherit'] })
}
