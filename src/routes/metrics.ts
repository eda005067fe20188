import { singleFlightCache } from '../lib/base/single-flight-cache.ts'
import type { AuthLevel } from '../lib/settings/settings.ts'
import { guardRoute, privateHeaders, type ServiceRef } from './guard-route.ts'
import type { Route } from './route.ts'

const chunk = singleFlightCache<typeof import('../lib/service/metrics.ts')>()
export const metrics = () => chunk.get(() => import('../lib/service/metrics.ts'))

/** GET `/api/metrics`: for Prometheus, in its text format, or as OpenMetrics if the scraper accepts that. */
export function metricsRoute(service: ServiceRef, authLevel: AuthLevel): Route {
  return guardRoute({
    name: 'metrics',
    path: 'api/metrics',
    authLevel,
    async handle({ headers }, log) {
      const resolved = service()
      const [{ renderMetrics }, state] = await Promise.all([metrics(), resolved.cachedState(log)])
      const format = headers['accept']?.includes('application/openmetrics-text') ? 'openmetrics' : 'text'
      const { body, contentType } = await renderMetrics(resolved.cloud, resolved.settings, state, format)
      return { status: 200, headers: { ...privateHeaders, 'content-type': contentType }, body }
    },
  })
}
