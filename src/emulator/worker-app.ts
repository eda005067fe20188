import type {
  CoreApi,
  Disposable,
  FunctionCallback,
  FunctionMetadata,
  HookCallback,
  ProgrammingModel,
  WorkerLogLevel,
} from './core-types.ts'
import { StartError } from '../server/start-error.ts'
import type { LogLevel } from '../lib/base/app.ts'
import type { Log, LogLine } from '../server/log.ts'

const hookNames = ['appStart', 'appTerminate', 'preInvocation', 'postInvocation'] as const

export type HookName = (typeof hookNames)[number]

export interface LoadedFunction {
  readonly metadata: FunctionMetadata
  readonly callback: FunctionCallback
}

/** The functions and hooks that one app registered through its core API. */
export interface WorkerApp {
  readonly functions: Map<string, LoadedFunction>
  readonly hooks: Readonly<Record<HookName, HookCallback[]>>
  readonly log: Log
  /** Data that the app's hooks share with each other. */
  readonly appHookData: Record<string, unknown>
  /** Data that the appStart and appTerminate hooks share. */
  readonly hookData: Record<string, unknown>
  programmingModel: ProgrammingModel | undefined
  /** No function can be registered after the start. */
  isLocked: boolean
  /** The app called `app.setup({ enableHttpStream: true })`. */
  wantsStreaming: boolean
}

export function createWorkerApp(log: Log): WorkerApp {
  return {
    functions: new Map(),
    hooks: { appStart: [], appTerminate: [], preInvocation: [], postInvocation: [] },
    log,
    appHookData: {},
    hookData: {},
    programmingModel: undefined,
    isLocked: false,
    wantsStreaming: false,
  }
}

/** The error class of the worker's API: the library checks the flag. */
function systemError<E extends Error>(error: E): E {
  return Object.assign(error, { isAzureFunctionsSystemError: true })
}

function createDisposable(callback: () => void): Disposable {
  let pending: (() => void) | undefined = callback
  return {
    dispose() {
      pending?.()
      pending = undefined
    },
  }
}

/** Builds the `@azure/functions-core` module of one app. */
export function createCoreApi(app: WorkerApp): CoreApi {
  return {
    version: '3.12.0',
    hostVersion: '4.1040.0',
    registerFunction: (metadata, callback) => registerFunction(app, metadata, callback),
    registerHook: (name, callback) => registerHook(app, name, callback),
    setProgrammingModel: (model) => {
      app.programmingModel = model
    },
    getProgrammingModel: () => app.programmingModel,
    log: (level, category, message) => {
      // The only sign of streaming that comes before getCapabilities(), which would open a port on all interfaces.
      if (message.startsWith('HTTP streaming enabled')) app.wantsStreaming = true
      logLine(app, level, category, message)
    },
    Disposable: class {
      readonly #inner: Disposable
      constructor(callback: () => void) {
        this.#inner = createDisposable(callback)
      }
      dispose(): void {
        this.#inner.dispose()
      }
    },
  }
}

function registerFunction(app: WorkerApp, metadata: FunctionMetadata, callback: FunctionCallback): Disposable {
  if (app.isLocked) throw systemError(new Error('A function can only be registered during app startup.'))
  if (app.functions.has(metadata.name)) {
    throw systemError(new Error(`A function named "${metadata.name}" has already been registered.`))
  }
  app.functions.set(metadata.name, { metadata, callback })
  return createDisposable(() => {
    if (app.isLocked) throw systemError(new Error('A function can only be disposed during app startup.'))
    app.functions.delete(metadata.name)
  })
}

function registerHook(app: WorkerApp, name: string, callback: HookCallback): Disposable {
  if (name === 'log') {
    throw new StartError('FEATURE_UNSUPPORTED', 'app.hook.log() is not supported by the local emulator. Remove it.')
  }
  const known = hookNames.find((hookName) => hookName === name)
  if (known === undefined) throw systemError(new RangeError(`Unrecognized hook "${name}"`))
  const hooks = app.hooks[known]
  hooks.push(callback)
  return createDisposable(() => {
    const index = hooks.indexOf(callback)
    if (index !== -1) hooks.splice(index, 1)
  })
}

const levels: Readonly<Record<Exclude<WorkerLogLevel, 'none'>, LogLevel>> = {
  trace: 'verbose',
  debug: 'verbose',
  information: 'info',
  warning: 'warning',
  error: 'error',
  critical: 'error',
}

/** Logs a line of the worker's protocol. */
export function logLine(
  { log }: WorkerApp,
  level: WorkerLogLevel,
  category: string,
  message: string,
  call: Pick<LogLine, 'name' | 'callId'> = {},
): void {
  if (level === 'none') return
  log({ level: levels[level], category: category === 'user' ? 'app' : 'library', message, ...call })
}

/** Runs the hooks of one name in the order of their registration, each after the one before. */
export async function runHooks(app: WorkerApp, name: HookName, context: object): Promise<void> {
  for (const callback of app.hooks[name]) await callback(context)
}
