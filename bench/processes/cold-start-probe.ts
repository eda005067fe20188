import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { createCoreApi, createWorker, loadEntryPoint } from '../../src/emulator/worker.ts'

/** The time of a cold start. */
export interface ColdStart {
  /** Milliseconds from before the entry point is loaded until it has run. */
  readonly duration: number
  /** Milliseconds of processor time of all threads in this time. */
  readonly cpuTime: number
  readonly functions: number
}

// This file is bundled before it runs, so that its process loads no other code, and doesn't strip types. It injects the core module as the Node
// worker does. Further arguments are modules of Node to load first.
const [, , appDirectory = '', ...loadedBefore] = process.argv
for (const name of loadedBefore) process.getBuiltinModule(name)
const worker = createWorker(() => {})
const api = createCoreApi(worker)

const cpuBefore = process.cpuUsage()
const started = performance.now()
loadEntryPoint(join(appDirectory, 'dist/main.cjs'), api)
const duration = performance.now() - started
const { user, system } = process.cpuUsage(cpuBefore)

const result: ColdStart = {
  duration,
  cpuTime: (user + system) / 1000,
  functions: worker.functions.length,
}
writeSync(3, JSON.stringify(result))
