import type { HttpResponseInit } from '@azure/functions'
import type { AuthLevel } from '../lib/settings/settings.ts'
import { guarded, json, type ServiceRef } from './answer.ts'
import { registerRoute } from '../functions/register.ts'

/** GET `/api/profile`: the whole resolved profile, so that the answer can be saved and used as a custom profile file. */
export function registerProfile(service: ServiceRef, authLevel: AuthLevel): void {
  // The profile is fixed for the life of the process, and so is its answer.
  let answer: HttpResponseInit | undefined
  registerRoute(
    'profile',
    { route: 'api/profile', authLevel },
    guarded(async () => (answer ??= json(service().cloud.profile))),
  )
}
