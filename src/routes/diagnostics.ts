import type { DiagnosticsReport } from '../lib/diagnostics/report.ts'
import type { Service } from '../lib/service/service.ts'
import { guardRoute, json } from './guard-route.ts'
import type { Route, RouteAnswer } from './route.ts'
import { visibleReport } from './visible-report.ts'

/** GET `/api/diagnostics`; `?explain=true` adds the origin of every profile field, `?history=true` the earlier runs. */
export function diagnosticsRoute(service: Service): Route {
  // Writing a report costs more than sending it.
  let answered: { readonly report: DiagnosticsReport; readonly answer: RouteAnswer } | undefined
  return guardRoute({
    name: 'diagnostics',
    path: 'api/diagnostics',
    authLevel: service.settings.httpAuthLevel,
    async handle({ query }, log) {
      const diagnostics = await service.diagnostics(log)
      const asked = (name: string) => query[name] === 'true'
      const report = await diagnostics.report({ explain: asked('explain'), history: asked('history') })
      if (answered?.report !== report) answered = { report, answer: json(visibleReport(report, service.settings)) }
      return answered.answer
    },
  })
}
