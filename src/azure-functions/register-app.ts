import { app, type HttpHandler, type HttpMethod, type HttpRequest, type InvocationContext } from '@azure/functions'
import type { AppRequest, HttpFunction, Invocation, TimerFunction } from '../lib/base/app.ts'

/** What the Functions library can register: it would give a function without methods GET and POST only. */
interface RegisteredApp {
  readonly functions: readonly (HttpFunction & { readonly methods: readonly HttpMethod[] })[]
  readonly timers: readonly (TimerFunction & { readonly schedule: string })[]
}

/** Registers every function with the Functions library. */
export function registerApp({ functions, timers }: RegisteredApp): void {
  for (const { name, path, methods, authLevel, handle } of functions) {
    // An empty route would become the name of the function.
    app.http(name, { methods: [...methods], route: path || '/', authLevel, handler: toHandler(handle) })
  }
  for (const { name, schedule, run } of timers) {
    // Without a monitor it needs no storage account.
    app.timer(name, { schedule, useMonitor: false, handler: (_timer, context) => run(toInvocation(context)) })
  }
}

/** The handler of an HTTP trigger. */
export function toHandler(handle: HttpFunction['handle']): HttpHandler {
  return async (request, context) => {
    const { status, headers, body } = await handle(toAppRequest(request), toInvocation(context))
    return { status, headers, ...(body === undefined ? {} : { body }) }
  }
}

function toAppRequest({ method, url, headers, query }: HttpRequest): AppRequest {
  return {
    method,
    url,
    headers: { host: new URL(url).host, ...Object.fromEntries(headers) },
    query: Object.fromEntries(query),
  }
}

function toInvocation(context: InvocationContext): Invocation {
  return {
    id: context.invocationId,
    log(level, line) {
      if (level === 'error') context.error(line)
      else if (level === 'warning') context.warn(line)
      else context.log(line)
    },
  }
}
