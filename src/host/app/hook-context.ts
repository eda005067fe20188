import type { LogLevel } from '../host-log.ts'
import type { WorkerApp } from './worker-app.ts'

/** Adds to what a hook gets the values that it may read but not replace: assigning to them throws, as in the worker. */
export function addReadOnly<T extends object>(fields: T, values: Readonly<Record<string, unknown>>): T {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(fields, name, {
      enumerable: true,
      get: () => value,
      set() {
        throw new TypeError(`Cannot assign to read only property '${name}'`)
      },
    })
  }
  return fields
}

export interface WorkerLog {
  readonly level: LogLevel
  readonly category: string
  readonly message: string
  readonly functionName?: string
  readonly invocationId?: string
}

/**
 * Writes a line of the app or its library to the log, past the app's log hooks. They may change or drop what functions
 * write, but not what the library writes.
 *
 * @param values What the hooks get besides the line.
 */
export function logThroughHooks(app: WorkerApp, line: WorkerLog, values: Readonly<Record<string, unknown>>): void {
  if (app.hooks.log.length === 0) {
    app.log(line)
    return
  }
  const { category, level, message } = line
  const { appHookData } = app
  const context = addReadOnly({ level, message }, { hookData: {}, appHookData, ...values, category })
  try {
    for (const callback of app.hooks.log) callback(context)
  } catch {
    // As in the worker: a broken hook must not lose the line.
  }
  if (category !== 'user') app.log(line)
  else if (context.level !== 'none') app.log({ ...line, level: context.level, message: context.message })
}
