import { loadOnce } from '../lib/base/waiting.ts'
import type { Service } from '../lib/service/service.ts'
import { visibleReport } from './diagnostics.ts'
import {
  httpFunction,
  ifNoneMatch,
  ifNoneMatchParameter,
  notModified,
  type DescribedFunction,
  type Operation,
} from './http-function.ts'

export const page = loadOnce(() => import('../page/page.ts'))

const openApi: Operation = {
  summary: 'The page that shows the report',
  parameters: [ifNoneMatchParameter],
  responses: {
    200: {
      description: "The page. Returned whatever the report's status.",
      types: ['text/html'],
      headers: { etag: 'Changes with the content.' },
    },
    304: notModified,
  },
}

/** GET `/`: the page. A failed token is a result, so the status is 200, or 304 if the browser's copy is current. */
export function homeFunction(service: Service): DescribedFunction {
  return httpFunction({
    name: 'home',
    path: '',
    authLevel: service.settings.httpAuthLevel,
    opensInBrowser: true,
    openApi,
    async handle(request, log) {
      const { cloud, settings } = service
      const diagnostics = await service.diagnostics(log)
      const [report, { renderReport }] = await Promise.all([diagnostics.report(), page()])
      const { html, headers } = renderReport(visibleReport(report, settings), cloud, settings)
      return ifNoneMatch(request, { status: 200, headers, body: html })
    },
  })
}
