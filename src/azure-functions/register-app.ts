import { app, type HttpHandler, type HttpRequest, type InvocationContext } from '@azure/functions'
import type { App, AppRequest, HttpFunction, Invocation } from '../lib/base/app.ts'

/**
 * Registers every function with the Functions library.
 *
 * `app.http` and `app.timer` name a binding by a hash of it. With `app.generic` the binding has a plain name, and no cold start loads
 * `node:crypto`, which takes a fifth of it.
 */
export function registerApp({ functions, timers }: Pick<App, 'functions' | 'timers'>): void {
  for (const { name, path, methods, authLevel, handle } of functions) {
    app.generic(name, {
      trigger: {
        type: 'httpTrigger',
        name: 'request',
        ...(methods === undefined ? {} : { methods: [...methods] }),
        // An empty route would become the name of the function.
        route: path || '/',
        authLevel,
      },
      return: { type: 'http', name: 'response' },
      handler: toHandler(handle),
    })
  }
  for (const { name, schedule, run } of timers) {
    app.generic(name, {
      // Without a monitor it needs no storage account.
      trigger: { type: 'timerTrigger', name: 'timer', schedule, useMonitor: false },
      handler: (_timer, context) => run(toInvocation(context)),
    })
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
