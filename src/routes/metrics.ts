import { lazy } from '../lib/service/lazy.ts'
import type { AuthLevel } from '../lib/settings/settings.ts'
import { guarded, privateHeaders, type ServiceRef } from './answer.ts'
import { logTo } from './log.ts'
import { registerRoute } from '../functions/register.ts'

export const metrics = lazy(() => import('../lib/service/metrics.ts'))

/** GET `/api/metrics`: for Prometheus, in its text format, or as OpenMetrics where the scraper asks for that. */
export function registerMetrics(service: ServiceRef, authLevel: AuthLevel): void {
  registerRoute(
    'metrics',
    { route: 'api/metrics', authLevel },
    guarded(async (request, context) => {
      const [{ renderMetrics }, known] = await Promise.all([metrics(), service().cachedState(logTo(context))])
      const wanted = request.headers.get('accept')?.includes('application/openmetrics-text') ? 'openmetrics' : 'text'
      const { body, contentType } = await renderMetrics(service().cloud, service().settings, known, wanted)
      return { body, headers: { ...privateHeaders, 'content-type': contentType } }
    }),
  )
}
