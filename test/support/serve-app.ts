import { once } from 'node:events'
import { createRequire } from 'node:module'
import { startEmulator } from '../../src/emulator/emulator.ts'
import type { AppMessage, Reload } from './use-service.ts'

// The child of use-service.ts: serves the given app directory and reports to its parent.
const tell = (message: AppMessage) => process.send?.(message)

/** Milliseconds in which the settings of a warm worker arrive. */
const reloadTimeoutMs = 30_000

/** A worker that was kept warm replaces every variable and the folder (FunctionEnvironmentReloadRequest of the worker's protocol). */
function reload({ variables, directory }: Reload): void {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, variables)
  process.chdir(directory)
}

const [directory = ''] = process.argv.slice(2)
if (directory === '') {
  const [message] = (await once(process, 'message', { signal: AbortSignal.timeout(reloadTimeoutMs) })) as [Reload]
  reload(message)
}

const host = await startEmulator({
  appDirectory: directory || process.cwd(),
  port: 0,
  runTimers: false,
  log: ({ level, category, message }) => void tell({ kind: 'log', line: { level, category, message } }),
})
process.on('message', () => tell({ kind: 'modules', paths: Object.keys(createRequire(import.meta.url).cache) }))
process.once('disconnect', () => void host.close().finally(() => process.exit(0)))
tell({ kind: 'started', port: host.port, functions: host.app.functions, timers: host.app.timers })
