import { commandLine } from '../support/start-command.ts'
import { useProcesses, type Ended, type ProcessOptions } from '../support/processes.ts'

/** `npm run profile` as a separate process, in a clean environment. */
export function useProfileCommand(): (args: readonly string[], options?: ProcessOptions) => Promise<Ended> {
  const { run } = useProcesses()
  return (args, options) => run([commandLine, ...args], options)
}
