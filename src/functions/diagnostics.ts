import { app } from '@azure/functions'
import type { AuthLevel } from '../lib/settings/settings.ts'
import { guarded, json, type ServiceRef } from './answer.ts'
import { visibleReport } from './visible-report.ts'
import { logTo } from './log.ts'

/** GET `/api/diagnostics`; `?explain=true` adds the origin of every profile field, `?history=true` the earlier looks. */
export function registerDiagnostics(service: ServiceRef, authLevel: AuthLevel): void {
  app.http('diagnostics', {
    route: 'api/diagnostics',
    methods: ['GET', 'HEAD'],
    authLevel,
    handler: guarded(async (request, context) => {
      const diagnostics = await service().diagnostics(logTo(context))
      const asked = (name: string) => request.query.get(name) === 'true'
      const report = await diagnostics.report({ explain: asked('explain'), history: asked('history') })
      return json(visibleReport(report, service().settings))
    }),
  })
}
