import { writeSync } from 'node:fs'
import Module from 'node:module'
import { join } from 'node:path'
import { loadEntryPoint, openCoreModule } from '../../../src/emulator/core-module.ts'
import { createCoreApi, createWorkerApp } from '../../../src/emulator/worker-app.ts'

// One cold start of the app in the given directory: as JSON on stdout, what its code requires until it has started.
const [, , appDirectory = ''] = process.argv
const owner = { appDirectory, api: createCoreApi(createWorkerApp(() => {})) }
openCoreModule(owner)

type Require = (this: { readonly filename?: string }, id: string) => unknown
const prototype = Module.prototype as unknown as { require: Require }
const { require: requireWithCore } = prototype
const required = new Set<string>()
prototype.require = function require(id) {
  if (this.filename?.startsWith(join(appDirectory, 'dist')) === true) required.add(id)
  return Reflect.apply(requireWithCore, this, [id])
}
loadEntryPoint(owner, join(appDirectory, 'dist/main.cjs'))
const untilStarted = JSON.stringify([...required])
// The log of the start is written first, after its lint has been loaded.
process.once('exit', () => writeSync(1, untilStarted))
