import { singleFlightCache } from '../lib/base/single-flight-cache.ts'
import { viewProfile } from '../lib/profile/profile-view.ts'
import type { Service } from '../lib/service/service.ts'
import { guardRoute } from './guard-route.ts'
import { ifNoneMatch } from './if-none-match.ts'
import type { Route } from './route.ts'
import { visibleReport } from './visible-report.ts'

const chunk = singleFlightCache<typeof import('./page.ts')>()
export const page = () => chunk.get(() => import('./page.ts'))

/** GET `/`: the page. The status is 200 (a failed token is a result), or 304 for the page that the browser shows already. */
export function homeRoute(service: Service): Route {
  return guardRoute({
    name: 'home',
    path: '',
    authLevel: service.settings.httpAuthLevel,
    opensInBrowser: true,
    async handle(request, log) {
      const { cloud, settings } = service
      const diagnostics = await service.diagnostics(log)
      const [report, { renderReport }] = await Promise.all([diagnostics.report({ history: true }), page()])
      const { html, headers } = renderReport(visibleReport(report, settings), viewProfile(cloud), settings)
      return ifNoneMatch(request, { status: 200, headers, body: html })
    },
  })
}
