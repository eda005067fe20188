import { realpathSync } from 'node:fs'

import type { App, AppRequest, AppResponse, HttpFunction, Invocation, TimerFunction } from '../lib/base/app.ts'
import { startServer, type RunningServer, type ServerOptions } from '../server/server.ts'
import { StartError } from '../server/start-error.ts'
import { findEntryPoint, readRoutePrefix, unsupported } from './app-files.ts'
import { logLine, startWorker } from './worker.ts'
import type { LoadedFunction, RpcHttpResponse, Worker, WorkerLogLevel } from './worker.ts'

// This folder runs our built app as the Azure Functions host and its Node worker do. It serves the app with src/server.

export interface EmulatorOptions extends ServerOptions {
  /** The folder with package.json and host.json. */
  readonly appDirectory: string
}

/**
 * Serves an app of the v4 programming model with the features that our bundle uses. A setting of host.json, a trigger or a binding that it
 * doesn't support is refused by name.
 *
 * @throws {StartError} if the app or its settings can't be served. Nothing stays open then.
 */
export async function startEmulator({
  appDirectory,
  log = () => undefined,
  ...options
}: EmulatorOptions): Promise<RunningServer & { readonly app: App }> {
  // The module cache has real paths.
  const directory = realpathSync(appDirectory)
  const routePrefix = readRoutePrefix(directory)
  const worker = await startWorker(findEntryPoint(directory), log)
  const app = readFunctions(worker, routePrefix)
  return { ...(await startServer(app, { ...options, log })), app }
}

/** The input of a timer function without a schedule monitor. */
const timerData = { json: JSON.stringify({ Schedule: { AdjustForDST: true }, ScheduleStatus: null, IsPastDue: false }) }

/** Converts the functions that an app has registered. A call of one uses the worker's protocol. */
function readFunctions(worker: Worker, routePrefix: string): App {
  const functions: HttpFunction[] = []
  const timers: TimerFunction[] = []
  for (const loaded of worker.functions) {
    const { name, bindings } = loaded.metadata
    const { $return: _response, ...inputs } = bindings
    const [trigger, other] = Object.entries(inputs).map(([input, binding]) => ({ ...binding, input }))
    if (other !== undefined) throw unsupported(`The binding "${other.input}" of function "${name}"`)
    switch (trigger?.type) {
      case 'httpTrigger': {
        const { methods, authLevel, route = name } = trigger
        const path = `${routePrefix}/${route}`.split('/').filter(Boolean).join('/')
        const invoke = createInvoke(worker, loaded, trigger.input)
        const handle: HttpFunction['handle'] = async (request, invocation) =>
          toResponse(await invoke({ http: toRpcRequest(request) }, invocation))
        functions.push({ name, path, methods, authLevel, handle })
        break
      }
      case 'timerTrigger': {
        if (trigger.useMonitor !== false) throw unsupported(`The schedule monitor of function "${name}"`)
        const invoke = createInvoke(worker, loaded, trigger.input)
        const run = async (invocation: Invocation) => void (await invoke(timerData, invocation))
        timers.push({ name, schedule: trigger.schedule, run })
        break
      }
      default:
        throw unsupported(`The trigger of function "${name}"`)
    }
  }
  return { functions, timers }
}

/** Runs a function through the invocation model of the Functions library, with the calls of the Node worker. */
function createInvoke(worker: Worker, { metadata, callback }: LoadedFunction, inputName: string) {
  return async (data: object, { id }: Invocation) => {
    const model = worker.programmingModel?.getInvocationModel({
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

function toResponse({ statusCode = '200', headers = {}, body }: RpcHttpResponse = {}): AppResponse {
  return { status: Number(statusCode), headers, body: body?.bytes ?? body?.string ?? '' }
}
