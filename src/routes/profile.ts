import type { Service } from '../lib/service/service.ts'
import { guardRoute, json } from './guard-route.ts'
import type { Route, RouteAnswer } from './route.ts'

/** GET `/api/profile`: the whole resolved profile, so that the answer can be saved and used as a custom profile file. */
export function profileRoute(service: Service): Route {
  // The profile is fixed for the life of the process.
  let answer: RouteAnswer | undefined
  return guardRoute({
    name: 'profile',
    path: 'api/profile',
    authLevel: service.settings.httpAuthLevel,
    handle: async () => (answer ??= json(service.cloud.profile)),
  })
}
