import { app, type HttpHandler, type TimerHandler } from '@azure/functions'
import type { AuthLevel } from '../lib/settings/settings.ts'

// `app.http` and `app.timer` name a binding by a hash of it, so that all workers give it the same name. Named here, it has the same name
// everywhere too, and no cold start loads `node:crypto`, which is a fifth of it.

/** Where a route is found, and who may call it. */
export interface Route {
  readonly route: string
  readonly authLevel: AuthLevel
}

/** Registers an HTTP function that answers GET and HEAD. */
export function registerRoute(name: string, route: Route, handler: HttpHandler): void {
  app.generic(name, {
    trigger: { type: 'httpTrigger', name: 'request', methods: ['GET', 'HEAD'], ...route },
    return: { type: 'http', name: 'response' },
    handler,
  })
}

/** Registers a timer function that needs no storage account. @param schedule Six-field NCRONTAB. */
export function registerTimer(name: string, schedule: string, handler: TimerHandler): void {
  app.generic(name, { trigger: { type: 'timerTrigger', name: 'timer', schedule, useMonitor: false }, handler })
}
