import { singleFlightCache } from '../lib/base/single-flight-cache.ts'
import { viewProfile } from '../lib/profile/profile-view.ts'
import type { AuthLevel } from '../lib/settings/settings.ts'
import { guardRoute, type ServiceRef } from './guard-route.ts'
import { ifNoneMatch } from './if-none-match.ts'
import type { Route } from './route.ts'
import { visibleReport } from './visible-report.ts'

const chunk = singleFlightCache<typeof import('./page.ts')>()
export const page = () => chunk.get(() => import('./page.ts'))

/** GET `/`: the page. The status is 200 whatever it shows (a failed token is a result), or 304 for the page that the browser shows already. */
export function homeRoute(service: ServiceRef, authLevel: AuthLevel): Route {
  return guardRoute({
    name: 'home',
    path: '',
    authLevel,
    opensInBrowser: true,
    async handle(request, log) {
      const resolved = service()
      const { cloud, settings } = resolved
      const diagnostics = await resolved.diagnostics(log)
      const [report, { renderReport }] = await Promise.all([diagnostics.report({ history: true }), page()])
      const { html, headers } = renderReport(visibleReport(report, settings), viewProfile(cloud), settings)
      return ifNoneMatch(request, { status: 200, headers, body: html })
    },
  })
}
