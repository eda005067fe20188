import { join } from 'node:path'
import { inject } from 'vitest'
import type { Build } from './global-setup.ts'

export function bundledCommand(name: string): string {
  return join(builtService().project, 'commands', `${name}.mjs`)
}

/** The build of this run: `project` is a whole copy with dist, `deployable` only what is deployed. */
export function builtService(): Exclude<Build, { readonly failure: string }> {
  const build = inject('build')
  if ('failure' in build) throw new Error(`The bundle could not be built:\n${build.failure}`)
  return build
}
