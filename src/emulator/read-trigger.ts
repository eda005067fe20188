import type { AuthLevel } from '../lib/base/app.ts'
import { StartError } from '../server/start-error.ts'
import type { Binding } from './core-types.ts'
import type { RegisteredFunction } from './registered-function.ts'

/**
 * Reads the parts of a trigger's binding that the server needs.
 *
 * @throws {StartError} Naming the function and the invalid or unsupported part.
 */
export function readTrigger(name: string, binding: Binding, env: NodeJS.ProcessEnv): RegisteredFunction {
  const isDisabled = /^(true|1)$/i.test(env[`AzureWebJobs.${name}.Disabled`] ?? '')
  switch (binding.type?.toLowerCase() ?? '') {
    case 'httptrigger':
      return {
        trigger: 'http',
        name,
        isDisabled,
        route: readRoute(name, binding.route),
        methods: readMethods(name, binding.methods),
        authLevel: readAuthLevel(name, binding.authLevel),
      }
    case 'timertrigger':
      return {
        trigger: 'timer',
        name,
        isDisabled,
        schedule: readSchedule(name, binding),
      }
    default:
      throw unsupported(name, String(binding.type))
  }
}

export function unsupported(name: string, feature: string): StartError {
  return new StartError(
    'FEATURE_UNSUPPORTED',
    `Function "${name}" uses ${feature}, which the local emulator does not support: it serves HTTP and timer triggers.`,
  )
}

function readRoute(name: string, route: unknown): string {
  if (route === undefined || route === null || route === '') return name
  if (typeof route !== 'string')
    throw new StartError('ROUTE_INVALID', `The route of function "${name}" is not a string.`)
  return route
}

function readMethods(name: string, methods: unknown): readonly string[] | undefined {
  if (methods === undefined || methods === null) return undefined
  if (!Array.isArray(methods) || !methods.every((method) => typeof method === 'string')) {
    throw new StartError('FUNCTION_INVALID', `The methods of function "${name}" must be a list of strings.`)
  }
  return methods.map((method) => method.toUpperCase())
}

function readAuthLevel(name: string, level: unknown): AuthLevel {
  const text = typeof level === 'string' ? level.toLowerCase() : (level ?? 'function')
  if (text === 'anonymous' || text === 'function' || text === 'admin') return text
  throw new StartError(
    'FUNCTION_INVALID',
    `The authLevel of function "${name}" is ${JSON.stringify(level)}: use "anonymous", "function" or "admin".`,
  )
}

function readSchedule(name: string, { schedule, runOnStartup, useMonitor }: Binding): string {
  if (useMonitor !== false) {
    throw unsupported(name, 'a schedule monitor (useMonitor is true unless it is set to false)')
  }
  if (runOnStartup === true) throw unsupported(name, 'runOnStartup')
  if (typeof schedule !== 'string' || schedule.trim() === '') {
    throw new StartError('SCHEDULE_INVALID', `Function "${name}" has no schedule.`)
  }
  if (schedule.includes('%')) throw unsupported(name, `a setting in its schedule, "${schedule}"`)
  return schedule
}
