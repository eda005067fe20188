import { builtService, bundledCommand } from './build.ts'
import type { ProcessOptions } from './processes.ts'

/** The command line of the sources for Node, as `npm run profile` starts it, bundled (see `bundle-commands.ts`). */
export const commandLine = bundledCommand('cloud-profile')

/** The arguments of `npm start` for Node, serving what this run has built. */
export const startCommand = [bundledCommand('main'), 'start', '--built']

/** Runs a command in this run's copy of the project, on a free port unless the variables name one. */
export function inBuiltProject(env: NodeJS.ProcessEnv = {}): ProcessOptions {
  return { cwd: builtService().project, env: { PORT: '0', ...env } }
}
