import { writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The resources that a command used, written to file descriptor 3 at its end. */
export interface CommandUse {
  /** Bytes: the largest resident set the process ever had. */
  readonly maxResidentMemory: number
}

// Runs the command line as if it had been called itself: `measured-command.ts NAME ARGUMENT…`.
const [node = '', , ...args] = process.argv
const command = new URL('../../src/cli/cloud-profile.ts', import.meta.url)
process.argv = [node, fileURLToPath(command), ...args]
process.on('exit', () => {
  const use: CommandUse = { maxResidentMemory: process.resourceUsage().maxRSS * 1024 }
  writeSync(3, JSON.stringify(use))
})
await import(command.href)
