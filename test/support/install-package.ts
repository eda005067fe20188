import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './project-copy.ts'

/**
 * Installs an npm package into a cache of this checkout, without its scripts and whatever platform it is for.
 *
 * @returns The path of a file in the package; `undefined` if the package isn't available.
 */
export function installPackage(name: string, version: string, file: string): string | undefined {
  const cache = join(repository, 'node_modules/.cache', `${name}-${version}`)
  const path = join(cache, 'node_modules', name, file)
  if (!existsSync(path)) {
    const args = ['install', '--prefix', cache, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--force']
    try {
      execFileSync('npm', [...args, `${name}@${version}`], { stdio: 'ignore', timeout: 120_000 })
    } catch {
      // The missing file shows the failure.
    }
  }
  return existsSync(path) ? path : undefined
}
