import type { AuthLevel } from '../lib/settings/settings.ts'
import { singleFlightCache } from '../lib/base/single-flight-cache.ts'
import { viewProfile } from '../lib/profile/profile-view.ts'
import { guarded, type ServiceRef } from './answer.ts'
import { logTo } from './log.ts'
import { visibleReport } from './visible-report.ts'
import { registerRoute } from '../functions/register.ts'

const chunk = singleFlightCache<typeof import('./page.ts')>()
export const page = () => chunk.get(() => import('./page.ts'))

/** GET `/`: the page. The status is 200 whatever it shows; a failed token is a result. */
export function registerHome(service: ServiceRef, authLevel: AuthLevel): void {
  registerRoute(
    'home',
    { route: '/', authLevel },
    guarded(
      async (_request, context) => {
        const resolved = service()
        const { cloud, settings } = resolved
        const diagnostics = await resolved.diagnostics(logTo(context))
        const [report, { renderReport }] = await Promise.all([diagnostics.report({ history: true }), page()])
        const { html, headers } = renderReport(visibleReport(report, settings), viewProfile(cloud), settings)
        return { body: html, headers }
      },
      { opensInBrowser: true },
    ),
  )
}
