import { fileURLToPath } from 'node:url'
import { useProcesses, type Ended, type ProcessOptions } from '../support/processes.ts'

const script = fileURLToPath(new URL('../../src/cli/cloud-profile.ts', import.meta.url))

/** `npm run profile` as a separate process, in a clean environment. */
export function useProfileCommand(): (args: readonly string[], options?: ProcessOptions) => Promise<Ended> {
  const { run } = useProcesses()
  return (args, options) => run([script, ...args], options)
}
