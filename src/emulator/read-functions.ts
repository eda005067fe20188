import { readVariable } from '../lib/base/env.ts'
import type {
  App,
  AppRequest,
  AppResponse,
  AuthLevel,
  HttpFunction,
  Invocation,
  TimerFunction,
} from '../lib/base/app.ts'
import { StartError } from '../server/start-error.ts'
import {
  type Binding,
  type RpcHttpResponse,
  type WorkerLogLevel,
  logLine,
  type LoadedFunction,
  type Worker,
} from './worker.ts'

/** The input of a timer function without a schedule monitor. */
const timerData = { json: JSON.stringify({ Schedule: { AdjustForDST: true }, ScheduleStatus: null, IsPastDue: false }) }

const namePattern = /^[a-z][\w-]{0,127}$/i

/** Headers of the connection or of the message framing, which only the server sets. */
const serverHeaders = new Set(
  'connection content-length keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' '),
)

/**
 * Converts the functions that an app has registered. A call of one uses the worker's protocol.
 *
 * @param env `AzureWebJobs.NAME.Disabled` disables a function.
 * @throws {StartError} that names the function and the invalid or unsupported feature.
 */
export function readFunctions(worker: Worker, routePrefix: string, env: NodeJS.ProcessEnv): App {
  const functions: HttpFunction[] = []
  const timers: TimerFunction[] = []
  for (const loaded of worker.functions.values()) {
    const { name } = loaded.metadata
    const [inputName, trigger] = readTrigger(loaded)
    const isDisabled = /^(true|1)$/i.test(readVariable(env, `AzureWebJobs.${name}.Disabled`) ?? '')
    const invoke = createInvoke(worker, loaded, inputName)
    if (trigger.type?.toLowerCase() === 'httptrigger') {
      const each: HttpFunction = {
        name,
        path: readPath(name, trigger.route, routePrefix),
        methods: readMethods(name, trigger.methods),
        authLevel: readAuthLevel(name, trigger.authLevel),
        handle: async (request, invocation) =>
          toResponse(await invoke({ http: toRpcRequest(request) }, invocation), request.method),
      }
      if (!isDisabled) functions.push(each)
    } else {
      const schedule = readSchedule(name, trigger)
      const run = async (invocation: Invocation) => void (await invoke(timerData, invocation))
      timers.push({ name, schedule: isDisabled ? undefined : schedule, run })
    }
  }
  return { functions, timers }
}

/** @returns The trigger's binding, with its name first. */
function readTrigger({ metadata: { name, bindings, retryOptions }, callback }: LoadedFunction): [string, Binding] {
  if (typeof name !== 'string' || !namePattern.test(name)) {
    throw invalid(`"${name}" is not a function name. Use a letter, then letters, digits, - or _.`)
  }
  if (typeof callback !== 'function') throw invalid(`Function "${name}" has no handler.`)
  const [first, ...more] = Object.entries(bindings).filter(([, { type }]) => /trigger$/i.test(type ?? ''))
  if (first === undefined || more.length > 0) throw invalid(`Function "${name}" must have exactly one trigger.`)
  const [inputName, trigger] = first
  const kind = trigger.type?.toLowerCase()
  if (kind !== 'httptrigger' && kind !== 'timertrigger') throw unsupported(name, String(trigger.type))
  for (const [bindingName, { type, direction }] of Object.entries(bindings)) {
    const isResponse = kind === 'httptrigger' && direction === 'out' && bindingName === '$return' && type === 'http'
    if (bindingName === inputName || isResponse) continue
    throw unsupported(name, `${String(type)} ${direction === 'out' ? 'output' : 'input'} "${bindingName}"`)
  }
  if (kind === 'timertrigger' && retryOptions !== undefined) throw unsupported(name, 'retry')
  return [inputName, trigger]
}

function readPath(name: string, route: unknown, routePrefix: string): string {
  // In the Functions host, an empty route means the function's name.
  const path = route === undefined || route === null || route === '' ? name : route
  if (typeof path !== 'string') throw invalid(`The route of function "${name}" is not a string.`)
  if (/[{}?*]/.test(path)) throw unsupported(name, `the route "${path}", which has a parameter`)
  if (route === path && /^\/*(admin|runtime)/i.test(path)) {
    throw invalid(`The route "${path}" of function "${name}" must not begin with admin or runtime.`)
  }
  return `${routePrefix}/${path}`.split('/').filter(Boolean).join('/')
}

/** Refuses methods with a body, because the server passes no body on. */
function readMethods(name: string, methods: unknown): readonly string[] {
  const list = Array.isArray(methods) ? methods.map((method) => String(method).toUpperCase()) : ['any method']
  const other = list.find((method) => method !== 'GET' && method !== 'HEAD')
  if (other !== undefined) throw unsupported(name, `${other} (set methods to GET or HEAD)`)
  return list
}

function readAuthLevel(name: string, level: unknown): AuthLevel {
  const text = typeof level === 'string' ? level.toLowerCase() : (level ?? 'function')
  if (text === 'anonymous' || text === 'function' || text === 'admin') return text
  const levels = 'use "anonymous", "function" or "admin"'
  throw invalid(`The authLevel of function "${name}" is ${JSON.stringify(level)}: ${levels}.`)
}

function readSchedule(name: string, { schedule, runOnStartup, useMonitor }: Binding): string {
  if (useMonitor !== false) {
    throw unsupported(name, 'a schedule monitor (useMonitor is true unless it is set to false)')
  }
  if (runOnStartup === true) throw unsupported(name, 'runOnStartup')
  if (typeof schedule !== 'string' || schedule.trim() === '') throw invalid(`Function "${name}" has no schedule.`)
  if (schedule.includes('%')) throw unsupported(name, `a setting in its schedule, "${schedule}"`)
  return schedule
}

const invalid = (problem: string) => new StartError('FUNCTION_INVALID', problem)
const unsupported = (name: string, feature: string) =>
  new StartError(
    'FEATURE_UNSUPPORTED',
    `Function "${name}" uses ${feature}, which the local emulator does not support.`,
  )

/** Runs a function through the invocation model of the Functions library, with the calls of the Node worker. */
function createInvoke(worker: Worker, { metadata, callback }: LoadedFunction, inputName: string) {
  return async (data: object, { id }: Invocation) => {
    const model = await worker.programmingModel?.getInvocationModel({
      invocationId: id,
      request: { invocationId: id, inputData: [{ name: inputName, data }] },
      metadata,
      log(level: WorkerLogLevel, category: string, message: string) {
        logLine(worker, level, category, message, { name: metadata.name, invocationId: id })
      },
    })
    if (model === undefined) throw new StartError('APP_LOAD_FAILED', 'The app set no programming model.')
    const { context, inputs } = await model.getArguments()
    const { returnValue } = await model.getResponse(context, await model.invokeFunction(context, inputs, callback))
    return returnValue?.http
  }
}

function toRpcRequest({ method, url, headers, query }: AppRequest): object {
  return { method, url, nullableHeaders: toNullable(headers), nullableQuery: toNullable(query), nullableParams: {} }
}

/** The result has no prototype, because a name may be any text, even `__proto__`. */
function toNullable(values: AppRequest['headers']): object {
  const map = Object.create(null) as Record<string, { readonly value: string }>
  for (const name in values) map[name] = { value: values[name] ?? '' }
  return map
}

/** The status is 204 if the function returned nothing. */
function toResponse(result: RpcHttpResponse | null | undefined, method: string): AppResponse {
  if (result === null || result === undefined) return { status: 204, headers: {} }
  if ((result.cookies?.length ?? 0) > 0) {
    throw new StartError(
      'FEATURE_UNSUPPORTED',
      'The local emulator does not support cookies of a response. Remove them.',
    )
  }
  const given = Object.entries(result.headers ?? {})
  const headers = Object.fromEntries(given.filter(([name]) => !serverHeaders.has(name.toLowerCase())))
  const body = result.body?.bytes ?? Buffer.from(result.body?.string ?? '')
  const length = result.headers?.['content-length'] ?? ''
  // A HEAD handler may set the length of the body that it leaves out.
  if (method === 'HEAD' && body.length === 0 && /^\d+$/.test(length)) headers['content-length'] = length
  return { status: Number(result.statusCode ?? 200), headers, body }
}
