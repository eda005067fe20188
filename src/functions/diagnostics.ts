import { app } from '@azure/functions'
import type { AuthLevel } from '../lib/settings/settings.ts'
import { guarded, json, type ServiceRef } from './answer.ts'
import { logTo } from './log.ts'

/** GET `/api/diagnostics`, with `?explain=true` for the origin of every profile field. */
export function registerDiagnostics(service: ServiceRef, authLevel: AuthLevel): void {
  app.http('diagnostics', {
    route: 'api/diagnostics',
    methods: ['GET', 'HEAD'],
    authLevel,
    handler: guarded(async (request, context) => {
      const diagnostics = await service().diagnostics(logTo(context))
      return json(await diagnostics.report({ explain: request.query.get('explain') === 'true' }))
    }),
  })
}
