import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The directory of this repository. */
export const repository = fileURLToPath(new URL('../..', import.meta.url))

const parts = [
  'build.ts',
  'cloud-profiles',
  'host.json',
  'local.settings.sample.json',
  'package.json',
  'src',
  'tsconfig.build.json',
  'tsconfig.json',
]

/**
 * Copies what builds and runs the service, so that a test may build, change and serve it without another one, or a
 * local.settings.json of this machine, in its way. The packages are linked.
 */
export function copyProject(to: string): string {
  mkdirSync(to, { recursive: true })
  for (const part of parts) cpSync(join(repository, part), join(to, part), { recursive: true })
  symlinkSync(join(repository, 'node_modules'), join(to, 'node_modules'), 'dir')
  return to
}

/** Copies what is deployed, and nothing else, out of a project in which it was built. */
export function copyDeployable(project: string, to: string): string {
  mkdirSync(to, { recursive: true })
  for (const part of [
    'host.json',
    'package.json',
    'cloud-profiles',
    'dist/main.cjs',
    'dist/diagnostics.cjs',
    'dist/page.cjs',
  ]) {
    cpSync(join(project, part), join(to, part), { recursive: true })
  }
  return to
}
