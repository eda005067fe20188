import type { HttpResponseInit } from '@azure/functions'
import type { DiagnosticsReport } from '../lib/diagnostics/report.ts'
import type { AuthLevel } from '../lib/settings/settings.ts'
import { guarded, json, type ServiceRef } from './answer.ts'
import { visibleReport } from './visible-report.ts'
import { logTo } from './log.ts'
import { registerRoute } from '../functions/register.ts'

/** GET `/api/diagnostics`; `?explain=true` adds the origin of every profile field, `?history=true` the earlier looks. */
export function registerDiagnostics(service: ServiceRef, authLevel: AuthLevel): void {
  // A report that is the same is the same answer: writing it costs more than sending it.
  let answered: { readonly report: DiagnosticsReport; readonly answer: HttpResponseInit } | undefined
  registerRoute(
    'diagnostics',
    { route: 'api/diagnostics', authLevel },
    guarded(async (request, context) => {
      const diagnostics = await service().diagnostics(logTo(context))
      const asked = (name: string) => request.query.get(name) === 'true'
      const report = await diagnostics.report({ explain: asked('explain'), history: asked('history') })
      if (answered?.report !== report) answered = { report, answer: json(visibleReport(report, service().settings)) }
      return answered.answer
    }),
  )
}
