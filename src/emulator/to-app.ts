import type { App, AppRequest, AppResponse, HttpFunction, Invocation, TimerFunction } from '../lib/base/app.ts'
import { StartError } from '../server/start-error.ts'
import type { StartedApp } from './app-start.ts'
import type {
  InvocationRequest,
  Nullable,
  RpcBody,
  RpcHttpRequest,
  RpcHttpResponse,
  TriggerData,
} from './core-types.ts'
import { isHttp, isTimer } from './function-index.ts'
import type { IndexedFunction } from './function-index.ts'
import { invokeFunction } from './invocation.ts'
import type { HttpTrigger, TimerTrigger } from './registered-function.ts'
import type { WorkerApp } from './worker-app.ts'

/** The input of a timer function without a schedule monitor. */
const timerData = { json: JSON.stringify({ Schedule: { AdjustForDST: true }, ScheduleStatus: null, IsPastDue: false }) }

/** Headers that belong to the connection or to the framing of the message: the server sets them, not the app. */
const serverHeaders = new Set(
  'connection content-length keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' '),
)

/** The functions of a loaded app as routes and timers, each called in the form of the worker's protocol. */
export function toApp({ worker, functions, terminate }: StartedApp, routePrefix: string): App {
  return {
    functions: functions
      .filter(isHttp)
      .flatMap((entry) => (entry.info.isDisabled ? [] : toHttpFunction(worker, entry, routePrefix))),
    timers: functions.filter(isTimer).map((entry) => toTimerFunction(worker, entry)),
    terminate,
  }
}

function toHttpFunction(worker: WorkerApp, entry: IndexedFunction<HttpTrigger>, routePrefix: string): HttpFunction {
  const { name, route, methods, authLevel } = entry.info
  if (route !== name && /^\/*(admin|runtime)/i.test(route)) {
    throw new StartError(
      'ROUTE_INVALID',
      `The route "${route}" of function "${name}" must not begin with admin or runtime.`,
    )
  }
  return {
    name,
    path: `${routePrefix}/${route}`,
    methods,
    authLevel,
    async handle(request, context) {
      const trace = traceContext(request.headers)
      const { returnValue } = await invoke(worker, entry, { http: toRpcRequest(request) }, context, trace)
      return toAnswer(returnValue?.http, request.method)
    },
  }
}

function toTimerFunction(worker: WorkerApp, entry: IndexedFunction<TimerTrigger>): TimerFunction {
  const { name, schedule, isDisabled } = entry.info
  return {
    name,
    schedule: isDisabled ? undefined : schedule,
    async run(context) {
      await invoke(worker, entry, timerData, context)
    },
  }
}

function invoke(
  worker: WorkerApp,
  entry: IndexedFunction,
  data: TriggerData,
  { id }: Invocation,
  trace?: Pick<InvocationRequest, 'traceContext'>,
) {
  return invokeFunction(worker, entry, { invocationId: id, inputData: [{ name: entry.inputName, data }], ...trace })
}

function toRpcRequest({ method, url, headers, query, params, body }: AppRequest): RpcHttpRequest {
  return {
    method,
    url,
    nullableHeaders: toNullable(headers),
    nullableQuery: toNullable(query),
    nullableParams: toNullable(params ?? {}),
    ...(body === undefined || body.length === 0 ? {} : { body: { bytes: body } }),
  }
}

/** As the worker's protocol writes a map. It has no prototype: a name may be any text, `__proto__` too. */
function toNullable(values: Readonly<Record<string, string | undefined>>): Record<string, Nullable<string>> {
  const map = Object.create(null) as Record<string, Nullable<string>>
  for (const name in values) map[name] = { value: values[name] ?? '' }
  return map
}

/** The W3C trace context that the caller sent. */
function traceContext({
  traceparent,
  tracestate = '',
}: AppRequest['headers']): Pick<InvocationRequest, 'traceContext'> {
  if (traceparent === undefined) return {}
  return { traceContext: { traceParent: traceparent, traceState: tracestate, attributes: {} } }
}

/** 204 for a function that returned nothing. */
function toAnswer(result: RpcHttpResponse | null | undefined, method: string): AppResponse {
  if (result === null || result === undefined) return { status: 204, headers: {} }
  if ((result.cookies?.length ?? 0) > 0) {
    throw new StartError(
      'FEATURE_UNSUPPORTED',
      'cookies of a response are not supported by the local emulator. Remove them.',
    )
  }
  const given = Object.entries(result.headers ?? {})
  const headers = Object.fromEntries(given.filter(([name]) => !serverHeaders.has(name.toLowerCase())))
  const body = toBytes(result.body)
  const length = result.headers?.['content-length'] ?? ''
  // A HEAD handler may give the length of the body that it leaves out.
  if (method === 'HEAD' && body.length === 0 && /^\d+$/.test(length)) headers['content-length'] = length
  return { status: Number(result.statusCode ?? 200), headers, body }
}

function toBytes(body: RpcBody | null | undefined): Uint8Array {
  return body?.bytes ?? Buffer.from(body?.string ?? '')
}
