import type { AppResponse } from '../lib/base/app.ts'
import type { Service } from '../lib/service/service.ts'
import { httpFunction, json, type DescribedFunction, type Operation } from './http-function.ts'

const openApi: Operation = {
  summary: 'The resolved profile, which can be saved and used as a custom profile file',
  responses: { 200: { description: 'The profile.', types: ['application/json'], schema: 'CloudProfile' } },
}

/** GET `/api/profile` */
export function profileFunction(service: Service): DescribedFunction {
  // The profile is fixed for the life of the process.
  let response: AppResponse | undefined
  return httpFunction({
    name: 'profile',
    path: 'api/profile',
    authLevel: service.settings.httpAuthLevel,
    openApi,
    handle: async () => (response ??= json(service.cloud.profile)),
  })
}
