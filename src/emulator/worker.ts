import Module, { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AuthLevel, HttpFunction, LogLevel } from '../lib/base/app.ts'
import type { WriteLog, LogLine } from '../server/log.ts'
import { StartError, messageOf } from '../server/start-error.ts'

export interface LoadedFunction {
  readonly metadata: FunctionMetadata
  readonly callback: FunctionCallback
}

/** The state of one app: its registered functions and its programming model. */
export interface Worker {
  readonly functions: LoadedFunction[]
  readonly log: WriteLog
  programmingModel: ProgrammingModel | undefined
}

export const createWorker = (log: WriteLog): Worker => ({ functions: [], log, programmingModel: undefined })

/** Builds the part of the `@azure/functions-core` module that our bundle uses. */
export function createCoreApi(worker: Worker) {
  return {
    registerFunction(metadata: FunctionMetadata, callback: FunctionCallback) {
      worker.functions.push({ metadata, callback })
    },
    setProgrammingModel(model: ProgrammingModel) {
      worker.programmingModel = model
    },
    log(level: WorkerLogLevel, category: string, message: string) {
      logLine(worker, level, category, message)
    },
  }
}

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
 * Loads an app into a worker, and turns its output during the start into log lines, as the Functions host does.
 *
 * @throws {StartError} `APP_LOAD_FAILED` with the message of the app's error.
 */
export async function startWorker(file: string, log: WriteLog): Promise<Worker> {
  const worker = createWorker(log)
  const { stdout } = process
  const original = Object.getOwnPropertyDescriptor(stdout, 'write')
  stdout.write = (text: string | Uint8Array) => {
    log({ level: 'verbose', category: 'app', message: String(text).trimEnd() })
    return true
  }
  try {
    loadEntryPoint(file, createCoreApi(worker))
    await nextTurn()
    return worker
  } catch (error) {
    throw new StartError('APP_LOAD_FAILED', messageOf(error), { cause: error })
  } finally {
    if (original === undefined) Reflect.deleteProperty(stdout, 'write')
    else Object.defineProperty(stdout, 'write', original)
  }
}

// The part of `@azure/functions-core` that our bundle uses. The module exists only inside the Node worker
// (https://github.com/Azure/azure-functions-nodejs-worker), so its types are declared here.

/** Lowest first. */
export type WorkerLogLevel = 'trace' | 'debug' | 'information' | 'warning' | 'error' | 'critical'

type Binding =
  | {
      readonly type: 'httpTrigger'
      readonly route?: string
      readonly methods: HttpFunction['methods']
      readonly authLevel: AuthLevel
    }
  | { readonly type: 'timerTrigger'; readonly schedule: string; readonly useMonitor?: boolean }

interface FunctionMetadata {
  readonly name: string
  readonly bindings: Readonly<Record<string, Binding>>
}

type FunctionCallback = (...args: readonly unknown[]) => unknown

export interface RpcHttpResponse {
  readonly statusCode?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: { readonly bytes?: Uint8Array; readonly string?: string } | null
}

interface InvocationModel {
  getArguments(): Promise<{ context: unknown; inputs: unknown[] }>
  invokeFunction(context: unknown, inputs: unknown[], callback: FunctionCallback): Promise<unknown>
  getResponse(
    context: unknown,
    result: unknown,
  ): Promise<{ readonly returnValue?: { readonly http?: RpcHttpResponse } }>
}

interface ProgrammingModel {
  getInvocationModel(context: object): InvocationModel
}
