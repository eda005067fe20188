import { writeSync } from 'node:fs'
import Module from 'node:module'
import { join } from 'node:path'
import { createCoreApi, createWorker, loadEntryPoint } from '../../../src/emulator/worker.ts'

// One cold start of the app in the given directory: as JSON on stdout, what its code requires until it has started.
const [, , appDirectory = ''] = process.argv

type Require = (this: { readonly filename?: string }, id: string) => unknown
const prototype = Module.prototype as unknown as { require: Require }
const { require: original } = prototype
const entry = join(appDirectory, 'dist/main.cjs')
const required = new Set<string>()
prototype.require = function require(id) {
  if (this.filename?.startsWith(join(appDirectory, 'dist')) === true && id !== entry) required.add(id)
  return Reflect.apply(original, this, [id])
}
loadEntryPoint(entry, createCoreApi(createWorker(() => {})))
const untilStarted = JSON.stringify([...required])
// The log of the start is written first, after its lint has been loaded.
process.once('exit', () => writeSync(1, untilStarted))
