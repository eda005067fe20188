import type { AppResponse } from '../lib/base/app.ts'
import type { DiagnosticsReport } from '../lib/diagnostics/report.ts'
import type { Service } from '../lib/service/service.ts'
import type { Settings } from '../lib/settings/settings.ts'
import { httpFunction, json, type DescribedFunction, type Operation } from './http-function.ts'

const flag = (name: string, description: string) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema: { type: 'string', examples: ['true'] },
})

const openApi: Operation = {
  summary: 'The report of the last diagnostics run, or of a new one',
  parameters: [
    flag('explain', 'With `true` the report has `fields`.'),
    flag('history', 'With `true` the report has `history`.'),
  ],
  responses: {
    200: {
      description: 'The report. A failed token is a result, not an HTTP error: see `status`.',
      types: ['application/json'],
      schema: 'DiagnosticsReport',
    },
  },
}

/** GET `/api/diagnostics`; `?explain=true` adds the origin of every profile field, `?history=true` the earlier runs. */
export function diagnosticsFunction(service: Service): DescribedFunction {
  // Writing a report costs more than sending it.
  let last: { readonly report: DiagnosticsReport; readonly response: AppResponse } | undefined
  return httpFunction({
    name: 'diagnostics',
    path: 'api/diagnostics',
    authLevel: service.settings.httpAuthLevel,
    openApi,
    async handle({ query }, log) {
      const diagnostics = await service.diagnostics(log)
      const has = (name: string) => query[name] === 'true'
      const report = await diagnostics.report({ explain: has('explain'), history: has('history') })
      if (last?.report !== report) last = { report, response: json(visibleReport(report, service.settings)) }
      return last.response
    },
  })
}

/**
 * The report for the callers of the functions. A pending sign-in code is shown only to callers with a key, or on this machine, because the
 * person who approves it signs this workload in with their account. With HTTP_AUTH_LEVEL=anonymous the report omits the code; the log has it.
 */
export function visibleReport(
  report: DiagnosticsReport,
  { httpAuthLevel }: Pick<Settings, 'httpAuthLevel'>,
): DiagnosticsReport {
  if (httpAuthLevel !== 'anonymous' || report.token.signIn === undefined) return report
  const { signIn: _signIn, ...token } = report.token
  return { ...report, token }
}
