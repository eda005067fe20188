import Module, { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LogLevel } from '../lib/base/app.ts'
import type { WriteLog, LogLine } from '../server/log.ts'
import { StartError, messageOf } from '../server/start-error.ts'

export interface LoadedFunction {
  readonly metadata: FunctionMetadata
  readonly callback: FunctionCallback
}

/** The state of one app: its registered functions and its programming model. */
export interface Worker {
  readonly functions: Map<string, LoadedFunction>
  readonly log: WriteLog
  programmingModel: ProgrammingModel | undefined
  /** Whether the app called `app.setup({ enableHttpStream: true })`. */
  wantsStreaming: boolean
}

export function createWorker(log: WriteLog): Worker {
  return { functions: new Map(), log, programmingModel: undefined, wantsStreaming: false }
}

/** Builds the part of the `@azure/functions-core` module that the library uses. It refuses features that our bundle doesn't use. */
export function createCoreApi(worker: Worker) {
  return {
    registerFunction(metadata: FunctionMetadata, callback: FunctionCallback) {
      const { name } = metadata
      if (worker.functions.has(name)) throw new Error(`A function named "${name}" has already been registered.`)
      worker.functions.set(name, { metadata, callback })
    },
    registerHook(name: string) {
      throw unsupported(`app.hook.${name}()`)
    },
    setProgrammingModel(model: ProgrammingModel) {
      worker.programmingModel = model
    },
    log(level: WorkerLogLevel, category: string, message: string) {
      // With streaming, getCapabilities() opens a port on all interfaces. Only this line of the log reveals streaming earlier.
      if (message.startsWith('HTTP streaming enabled')) worker.wantsStreaming = true
      logLine(worker, level, category, message)
    },
  }
}

export const unsupported = (feature: string) =>
  new StartError('FEATURE_UNSUPPORTED', `${feature} is not supported by the local emulator. Remove it.`)

const levels: Readonly<Record<WorkerLogLevel, LogLevel>> = {
  trace: 'verbose',
  debug: 'verbose',
  information: 'info',
  warning: 'warning',
  error: 'error',
  critical: 'error',
}

export function logLine(
  { log }: Worker,
  level: WorkerLogLevel,
  category: string,
  message: string,
  invocation: Pick<LogLine, 'name' | 'invocationId'> = {},
): void {
  log({ level: levels[level], category: category === 'user' ? 'app' : 'library', message, ...invocation })
}

/**
 * Loads an entry point without the module cache, as a new worker process does. Like the Node worker, it makes
 * `require('@azure/functions-core')` work through `Module.prototype.require` only.
 */
export function loadEntryPoint(file: string, api: object): void {
  const require = createRequire(file)
  for (const loaded of Object.keys(require.cache)) {
    if (loaded.startsWith(dirname(file) + sep)) delete require.cache[loaded]
  }
  const prototype = Module.prototype as unknown as { require: (this: unknown, id: string) => unknown }
  const original = prototype.require
  prototype.require = function requireWithCore(id) {
    return id === '@azure/functions-core' ? api : Reflect.apply(original, this, [id])
  }
  try {
    require(file)
  } finally {
    prototype.require = original
  }
}

/**
 * Loads an app into a worker.
 *
 * @throws {StartError} `APP_LOAD_FAILED` with the message of the app's error, `NO_FUNCTIONS`, or `FEATURE_UNSUPPORTED`.
 */
export async function startWorker(file: string, log: WriteLog): Promise<Worker> {
  const worker = createWorker(log)
  await runAppCode(() => captureOutput(log, () => loadEntryPoint(file, createCoreApi(worker))))
  const streaming = unsupported('enableHttpStream of app.setup(), which opens a port on all interfaces,')
  if (worker.wantsStreaming) throw streaming
  // This call tells the library that the start has finished. `HttpUri` in its response is the port of a stream server.
  const capabilities = await runAppCode(async () => worker.programmingModel?.getCapabilities?.({}))
  if (capabilities?.['HttpUri'] !== undefined) throw streaming
  if (worker.functions.size > 0) return worker
  throw new StartError('NO_FUNCTIONS', `${file} registered no functions. Register one with app.http() or app.timer().`)
}

/** Turns the app's output during its start into log lines, as the Functions host does. */
async function captureOutput(log: WriteLog, load: () => void): Promise<void> {
  const { stdout } = process
  const original = Object.getOwnPropertyDescriptor(stdout, 'write')
  stdout.write = (text: string | Uint8Array) => {
    log({ level: 'verbose', category: 'app', message: String(text).trimEnd() })
    return true
  }
  try {
    load()
    await nextTurn()
  } finally {
    if (original === undefined) Reflect.deleteProperty(stdout, 'write')
    else Object.defineProperty(stdout, 'write', original)
  }
}

async function runAppCode<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError('APP_LOAD_FAILED', messageOf(error), { cause: error })
  }
}

// The part of `@azure/functions-core` that the `@azure/functions` library uses. The module exists only inside the Node worker
// (https://github.com/Azure/azure-functions-nodejs-worker), so its types are declared here.

/** Lowest first. */
export type WorkerLogLevel = 'trace' | 'debug' | 'information' | 'warning' | 'error' | 'critical'

export interface Binding {
  readonly type?: string
  readonly direction?: string
  readonly route?: unknown
  readonly methods?: unknown
  readonly authLevel?: unknown
  readonly schedule?: unknown
  readonly runOnStartup?: unknown
  readonly useMonitor?: unknown
}

interface FunctionMetadata {
  readonly name: string
  readonly bindings: Readonly<Record<string, Binding>>
  readonly retryOptions?: unknown
}

type FunctionCallback = (...args: readonly unknown[]) => unknown

export interface RpcHttpResponse {
  readonly statusCode?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly unknown[]
  readonly body?: { readonly bytes?: Uint8Array; readonly string?: string } | null
}

interface InvocationModel {
  getArguments(): Promise<{ context: unknown; inputs: unknown[] }>
  invokeFunction(context: unknown, inputs: unknown[], callback: FunctionCallback): Promise<unknown>
  getResponse(
    context: unknown,
    result: unknown,
  ): Promise<{ readonly returnValue?: { readonly http?: RpcHttpResponse } | null }>
}

interface ProgrammingModel {
  getInvocationModel(context: object): InvocationModel | Promise<InvocationModel>
  getCapabilities?(capabilities: Record<string, string>): Promise<Record<string, string>> | Record<string, string>
}
