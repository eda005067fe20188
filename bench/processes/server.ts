import { startEmulator } from '../../src/emulator/emulator.ts'
import { answerParent } from './answer-parent.ts'

/** How the process stands now. */
export interface ServerState {
  /** `http://localhost:<port>` of the emulator. */
  readonly url: string
  /** Bytes. */
  readonly residentMemory: number
  /** Microseconds of processor time, user and system, since the process began. */
  readonly cpuTime: number
}

// Serves the app in the given directory with the emulator, and says on request how the process stands.
const host = await startEmulator({ appDirectory: process.argv[2] ?? '', port: 0, runTimers: false })

answerParent((): ServerState => {
  const { user, system } = process.cpuUsage()
  return { url: host.url, residentMemory: process.memoryUsage.rss(), cpuTime: user + system }
})
