import { builtService } from './build.ts'
import type { ProcessOptions } from './processes.ts'

/** The arguments of `npm start` for Node, serving what this run has built. */
export const startCommand = ['src/cli/cloud-profile.ts', 'start', '--built']

/** Runs a command in this run's copy of the project, on a free port unless the variables name one. */
export function inBuiltProject(env: NodeJS.ProcessEnv = {}): ProcessOptions {
  return { cwd: builtService().project, env: { PORT: '0', ...env } }
}
