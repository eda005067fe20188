import { startEmulator } from '../../src/emulator/emulator.ts'
import { respondToParent } from './respond-to-parent.ts'
import { stateAt } from './state-at.ts'

// Serves the app of a directory with the emulator, and reports the state of the process.
const { url } = await startEmulator({ appDirectory: process.argv[2] ?? '', port: 0, runTimers: false })

respondToParent(() => stateAt(url))
