import { startEmulator } from '../../src/emulator/emulator.ts'
import { answerParent } from './answer-parent.ts'
import { stateAt } from './state-at.ts'

// Serves the app in the given directory with the emulator, and tells on request how the process stands.
const { url } = await startEmulator({ appDirectory: process.argv[2] ?? '', port: 0, runTimers: false })

answerParent(() => stateAt(url))
