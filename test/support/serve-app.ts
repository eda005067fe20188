import { createRequire } from 'node:module'
import { startEmulator } from '../../src/emulator/emulator.ts'
import type { AppMessage } from './use-service.ts'

// The child of use-service.ts: serves the given app directory and reports to its parent.
const tell = (message: AppMessage) => process.send?.(message)

const host = await startEmulator({
  appDirectory: process.argv[2] ?? '',
  port: 0,
  runTimers: false,
  log: ({ level, category, message, name: functionName = '' }) => {
    tell({ kind: 'log', line: { level, category, message, functionName } })
  },
})
process.on('message', () => {
  tell({ kind: 'modules', paths: Object.keys(createRequire(import.meta.url).cache) })
})
process.once('disconnect', () => {
  void host.close().finally(() => process.exit(0))
})
tell({ kind: 'started', port: host.port, functions: host.functions })
