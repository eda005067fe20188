import type { AuthLevel } from '../lib/settings/settings.ts'
import { guardRoute, json, type ServiceRef } from './guard-route.ts'
import type { Route, RouteAnswer } from './route.ts'

/** GET `/api/profile`: the whole resolved profile, so that the answer can be saved and used as a custom profile file. */
export function profileRoute(service: ServiceRef, authLevel: AuthLevel): Route {
  // The profile is fixed for the life of the process.
  let answer: RouteAnswer | undefined
  return guardRoute({
    name: 'profile',
    path: 'api/profile',
    authLevel,
    handle: async () => (answer ??= json(service().cloud.profile)),
  })
}
