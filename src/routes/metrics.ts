import { singleFlightCache } from '../lib/base/single-flight-cache.ts'
import type { Service } from '../lib/service/service.ts'
import { guardRoute, privateHeaders } from './guard-route.ts'
import type { Route } from './route.ts'

const chunk = singleFlightCache<typeof import('../lib/service/metrics.ts')>()
export const metrics = () => chunk.get(() => import('../lib/service/metrics.ts'))

/** GET `/api/metrics`: for Prometheus, in its text format, or as OpenMetrics if the scraper accepts that. */
export function metricsRoute(service: Service): Route {
  return guardRoute({
    name: 'metrics',
    path: 'api/metrics',
    authLevel: service.settings.httpAuthLevel,
    async handle({ headers }, log) {
      const [{ renderMetrics }, state] = await Promise.all([metrics(), service.cachedState(log)])
      const format = headers['accept']?.includes('application/openmetrics-text') ? 'openmetrics' : 'text'
      const { body, contentType } = await renderMetrics(service.cloud, service.settings, state, format)
      return { status: 200, headers: { ...privateHeaders, 'content-type': contentType }, body }
    },
  })
}
