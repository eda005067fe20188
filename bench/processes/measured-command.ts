import { writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The resources of a command, written to file descriptor 3 at its end. */
export interface CommandUse {
  /** Bytes of the largest resident set. */
  readonly maxResidentMemory: number
}

// Runs a command of the command line: `measured-command.ts NAME ARGUMENT…`.
const [node = '', , ...args] = process.argv
const command = new URL('../../src/cli/cloud-profile.ts', import.meta.url)
process.argv = [node, fileURLToPath(command), ...args]
process.on('exit', () => {
  const use: CommandUse = { maxResidentMemory: process.resourceUsage().maxRSS * 1024 }
  writeSync(3, JSON.stringify(use))
})
await import(command.href)
