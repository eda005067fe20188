import { singleFlightCache } from '../lib/base/single-flight-cache.ts'
import type { AuthLevel } from '../lib/settings/settings.ts'
import { guarded, privateHeaders, type ServiceRef } from './answer.ts'
import { logTo } from './log.ts'
import { registerRoute } from '../functions/register.ts'

const chunk = singleFlightCache<typeof import('../lib/service/metrics.ts')>()
export const metrics = () => chunk.get(() => import('../lib/service/metrics.ts'))

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
