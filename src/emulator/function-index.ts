import { StartError } from '../server/start-error.ts'
import type { Binding, FunctionCallback, FunctionMetadata } from './core-types.ts'
import { readTrigger, unsupported } from './read-trigger.ts'
import type { HttpTrigger, RegisteredFunction, TimerTrigger } from './registered-function.ts'
import type { LoadedFunction } from './worker-app.ts'

/** A registered function with the parts that invoking it needs. */
export interface IndexedFunction<T extends RegisteredFunction = RegisteredFunction> {
  readonly info: T
  readonly metadata: FunctionMetadata
  readonly callback: FunctionCallback
  /** Name of the trigger's binding. */
  readonly inputName: string
}

const namePattern = /^[a-z][\w-]{0,127}$/i

/**
 * Checks what an app has registered, in the order in which routes are tried: by function name.
 *
 * @throws {StartError} `FUNCTION_INVALID` or `FEATURE_UNSUPPORTED`, naming the function and the binding.
 */
export function indexFunctions(loaded: Iterable<LoadedFunction>, env: NodeJS.ProcessEnv): readonly IndexedFunction[] {
  const functions = [...loaded].map((entry) => indexFunction(entry, env))
  functions.sort((a, b) => (a.info.name.toLowerCase() < b.info.name.toLowerCase() ? -1 : 1))
  for (const [index, { info }] of functions.entries()) {
    const next = functions[index + 1]?.info.name
    if (next?.toLowerCase() === info.name.toLowerCase()) {
      throw new StartError('FUNCTION_INVALID', `Functions "${info.name}" and "${next}" differ by case only.`)
    }
  }
  return functions
}

export function isHttp(entry: IndexedFunction): entry is IndexedFunction<HttpTrigger> {
  return entry.info.trigger === 'http'
}

export function isTimer(entry: IndexedFunction): entry is IndexedFunction<TimerTrigger> {
  return entry.info.trigger === 'timer'
}

function indexFunction({ metadata, callback }: LoadedFunction, env: NodeJS.ProcessEnv): IndexedFunction {
  const { name } = metadata
  if (typeof name !== 'string' || !namePattern.test(name)) {
    throw new StartError(
      'FUNCTION_INVALID',
      `"${name}" is not a function name: a letter, then letters, digits, - or _.`,
    )
  }
  if (typeof callback !== 'function') throw new StartError('FUNCTION_INVALID', `Function "${name}" has no handler.`)
  const triggers = Object.entries(metadata.bindings).filter(([, binding]) => /trigger$/i.test(binding.type ?? ''))
  const [trigger] = triggers
  if (trigger === undefined || triggers.length > 1) {
    throw new StartError('FUNCTION_INVALID', `Function "${name}" must have exactly one trigger.`)
  }
  const [inputName, binding] = trigger
  const info = readTrigger(name, binding, env)
  for (const [bindingName, other] of Object.entries(metadata.bindings)) {
    if (bindingName !== inputName) checkBinding(info, bindingName, other)
  }
  if (info.trigger === 'timer' && metadata.retryOptions !== undefined) throw unsupported(name, 'retry')
  return { info, metadata, callback, inputName }
}

function checkBinding(info: RegisteredFunction, bindingName: string, binding: Binding): void {
  const isResponse = binding.direction === 'out' && binding.type?.toLowerCase() === 'http' && bindingName === '$return'
  if (info.trigger === 'http' && isResponse) return
  const kind = binding.direction === 'out' ? 'output' : 'input'
  throw unsupported(info.name, `${String(binding.type)} ${kind} "${bindingName}"`)
}
