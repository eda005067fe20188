import { app, type HttpHandler, type HttpRequest, type InvocationContext } from '@azure/functions'
import type { App, CallContext, Route, RouteRequest } from '../routes/route.ts'

/**
 * Registers every route and timer with the Functions library.
 *
 * `app.http` and `app.timer` name a binding by a hash of it. With `app.generic` the binding has a plain name, and no cold start loads
 * `node:crypto`, which takes a fifth of it.
 */
export function registerApp({ routes, timers }: App): void {
  for (const { name, path, methods, authLevel, handle } of routes) {
    app.generic(name, {
      // An empty route would become the name of the function.
      trigger: { type: 'httpTrigger', name: 'request', methods: [...methods], route: path || '/', authLevel },
      return: { type: 'http', name: 'response' },
      handler: toHandler(handle),
    })
  }
  for (const { name, schedule, run } of timers) {
    app.generic(name, {
      // Without a monitor it needs no storage account.
      trigger: { type: 'timerTrigger', name: 'timer', schedule, useMonitor: false },
      handler: (_timer, context) => run(toCallContext(context)),
    })
  }
}

/** A route as a function with an HTTP trigger. */
export function toHandler(handle: Route['handle']): HttpHandler {
  return async (request, context) => {
    const { status, headers, body } = await handle(toRouteRequest(request), toCallContext(context))
    return { status, headers, ...(body === undefined ? {} : { body }) }
  }
}

function toRouteRequest({ headers, query, url }: HttpRequest): RouteRequest {
  return { headers: { host: new URL(url).host, ...Object.fromEntries(headers) }, query: Object.fromEntries(query) }
}

function toCallContext(context: InvocationContext): CallContext {
  return {
    id: context.invocationId,
    log(level, line) {
      if (level === 'error') context.error(line)
      else if (level === 'warning') context.warn(line)
      else context.log(line)
    },
  }
}
