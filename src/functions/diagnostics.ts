import type { AppResponse } from '../lib/base/app.ts'
import type { DiagnosticsReport } from '../lib/diagnostics/report.ts'
import type { Service } from '../lib/service/service.ts'
import type { Settings } from '../lib/settings/settings.ts'
import { httpFunction, json, type DescribedFunction, type Operation } from './http-function.ts'

const openApi: Operation = {
  summary: 'The report of a new or recent diagnostics run',
  parameters: [
    {
      name: 'explain',
      in: 'query',
      required: false,
      description: 'If `true`, the report has `fields`: the origin of every profile field.',
      schema: { type: 'string', examples: ['true'] },
    },
  ],
  responses: {
    200: {
      description: 'The report. A failed token is a result, not an HTTP error: see `status`.',
      types: ['application/json'],
      schema: 'DiagnosticsReport',
    },
  },
}

/** GET `/api/diagnostics` */
export function diagnosticsFunction(service: Service): DescribedFunction {
  // A cached report keeps its response, because writing the JSON costs more than sending it.
  let last: { readonly report: DiagnosticsReport; readonly response: AppResponse } | undefined
  return httpFunction({
    name: 'diagnostics',
    path: 'api/diagnostics',
    authLevel: service.settings.httpAuthLevel,
    openApi,
    async handle({ query }, log) {
      const diagnostics = await service.diagnostics(log)
      const report = await diagnostics.report({ explain: query['explain'] === 'true' })
      if (last?.report !== report) last = { report, response: json(visibleReport(report, service.settings)) }
      return last.response
    },
  })
}

/**
 * Leaves out a pending sign-in code if HTTP_AUTH_LEVEL is anonymous. Whoever approves the code signs this workload in with their account, so
 * only callers with a key may see it. The log has the code.
 */
export function visibleReport(
  report: DiagnosticsReport,
  { httpAuthLevel }: Pick<Settings, 'httpAuthLevel'>,
): DiagnosticsReport {
  if (httpAuthLevel !== 'anonymous' || report.token.signIn === undefined) return report
  const { signIn: _signIn, ...token } = report.token
  return { ...report, token }
}
