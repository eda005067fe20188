import { setImmediate as nextTurn } from 'node:timers/promises'
import { closeCoreModule, loadEntryPoint, openCoreModule } from './core-module.ts'
import { findEntryPoint } from './entry-point.ts'
import { StartError, messageOf } from '../server/start-error.ts'
import { indexFunctions } from './function-index.ts'
import type { IndexedFunction } from './function-index.ts'
import type { Log } from '../server/log.ts'
import { addReadOnly } from './hook-context.ts'
import { createCoreApi, createWorkerApp, runHooks } from './worker-app.ts'
import type { WorkerApp } from './worker-app.ts'

/** A loaded app, ready to be invoked. */
export interface StartedApp {
  readonly worker: WorkerApp
  readonly functions: readonly IndexedFunction[]
  /** Runs the appTerminate hooks, and removes the app's core module. */
  readonly terminate: () => Promise<void>
}

/**
 * Loads an app, runs its appStart hooks, and checks what it has registered.
 *
 * @throws {StartError} `APP_LOAD_FAILED` with the app's own message when the app throws; `NO_FUNCTIONS` when it registers
 * nothing (the Functions host would answer 404 to everything); what {@link indexFunctions} refuses.
 */
export async function startApp(appDirectory: string, env: NodeJS.ProcessEnv, log: Log): Promise<StartedApp> {
  const file = findEntryPoint(appDirectory)
  const worker = createWorkerApp(log)
  const owner = { appDirectory, api: createCoreApi(worker) }
  openCoreModule(owner)
  try {
    await runUserCode(() => captureOutput(log, () => loadEntryPoint(owner, file)))
    await runUserCode(() =>
      runHooks(worker, 'appStart', createAppContext(worker, { functionAppDirectory: appDirectory })),
    )
    if (worker.wantsStreaming) throw streamingRefused()
    // Tells the library that the start has finished. A port in its response belongs to a stream server.
    const capabilities = await runUserCode(() => worker.programmingModel?.getCapabilities?.({}))
    if (capabilities?.['HttpUri'] !== undefined) throw streamingRefused()
    worker.isLocked = true
    if (worker.functions.size === 0) {
      throw new StartError('NO_FUNCTIONS', `${file} registered no functions: there is nothing to serve.`)
    }
    const functions = indexFunctions(worker.functions.values(), env)
    return {
      worker,
      functions,
      async terminate() {
        try {
          await runHooks(worker, 'appTerminate', createAppContext(worker, {}))
        } catch (error) {
          log({
            level: 'error',
            category: 'server',
            message: `An appTerminate hook failed: ${messageOf(error)}`,
            error,
          })
        } finally {
          closeCoreModule(owner)
        }
      },
    }
  } catch (error) {
    closeCoreModule(owner)
    throw error
  }
}

/** Apps that start at the same time share the one stream. */
const captures: Log[] = []
let original: PropertyDescriptor | undefined

/** Output of the app while it loads, and right after, becomes log lines, as under the Functions host. */
async function captureOutput(log: Log, load: () => void): Promise<void> {
  const { stdout } = process
  if (captures.length === 0) original = Object.getOwnPropertyDescriptor(stdout, 'write')
  captures.push(log)
  stdout.write = (text: string | Uint8Array) => {
    captures.at(-1)?.({ level: 'verbose', category: 'app', message: String(text).trimEnd() })
    return true
  }
  try {
    load()
    await nextTurn()
  } finally {
    captures.splice(captures.indexOf(log), 1)
    if (captures.length === 0) {
      if (original === undefined) Reflect.deleteProperty(stdout, 'write')
      else Object.defineProperty(stdout, 'write', original)
    }
  }
}

async function runUserCode<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError('APP_LOAD_FAILED', messageOf(error), { cause: error })
  }
}

/** The input of the app start and app terminate hooks. */
function createAppContext({ hookData, appHookData }: WorkerApp, fields: object): object {
  return addReadOnly(fields, { hookData, appHookData })
}

function streamingRefused(): StartError {
  return new StartError(
    'FEATURE_UNSUPPORTED',
    'enableHttpStream of app.setup() is not supported by the local emulator: it opens a port on all interfaces. Remove it.',
  )
}
