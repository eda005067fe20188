import { writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The resources of a command, written to file descriptor 3 at its end. */
export interface CommandUse {
  /** Milliseconds of processor time of all threads. */
  readonly cpuTime: number
  /** Bytes of the largest heap after a full collection; without --expose-gc, of the last heap. */
  readonly liveHeap: number
}

// Runs a command of the command line: `measured-command.ts NAME ARGUMENT…`.
const [node = '', , ...args] = process.argv
const command = new URL('../../src/cli/cloud-profile.ts', import.meta.url)
process.argv = [node, fileURLToPath(command), ...args]
let liveHeap = 0
const collect = () => {
  globalThis.gc?.()
  liveHeap = Math.max(liveHeap, process.memoryUsage().heapUsed)
}
if (globalThis.gc !== undefined) setInterval(collect, 100).unref()
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  collect()
  const use: CommandUse = { cpuTime: (user + system) / 1000, liveHeap }
  writeSync(3, JSON.stringify(use))
})
await import(command.href)
