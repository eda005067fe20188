import { app, type HttpHandler, type HttpRequest, type InvocationContext } from '@azure/functions'
import type { App, AppRequest, HttpFunction, Invocation } from '../lib/base/app.ts'

// This folder connects an app to Azure Functions. Only this folder imports @azure/functions.

/** Gives each binding a name, because the library would compute one with a hash at every cold start. */
export function registerApp({ functions, timers }: App): void {
  for (const { name, path, methods, authLevel, handle } of functions) {
    // The library replaces an empty route by the name of the function.
    const trigger = { type: 'httpTrigger', name: 'request', methods: [...methods], route: path || '/', authLevel }
    app.http(name, { trigger, return: { type: 'http', name: '$return' }, handler: toHandler(handle) })
  }
  for (const { name, schedule, run } of timers) {
    // The schedule monitor would need a storage account.
    const trigger = { type: 'timerTrigger', name: 'timer', schedule, useMonitor: false }
    app.timer(name, { trigger, schedule, handler: (_timer, context) => run(toInvocation(context)) })
  }
}

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
