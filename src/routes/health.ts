import type { Log } from '../lib/diagnostics/log-event.ts'
import type { Service } from '../lib/service/service.ts'
import { guardRoute, json } from './guard-route.ts'
import { page } from './home.ts'
import { metrics } from './metrics.ts'
import type { Route } from './route.ts'

/**
 * GET `/api/health`: for probes of App Service and Kubernetes, so it needs no key and makes no request. Without a query it reports whether
 * the process should keep running. With `?ready` it loads every part and reports whether the process can serve requests.
 */
export function healthRoute(service: Service, isDraining: () => boolean): Route {
  const readiness = async (log: Log) => {
    if (!isDraining()) return service.readiness(log, [page, metrics])
    return { ...(await service.health()), status: 'fail' as const, description: 'This process stops' }
  }
  return guardRoute({
    name: 'health',
    path: 'api/health',
    authLevel: 'anonymous',
    async handle({ query: { ready = 'false' } }, log) {
      const health = await (ready === 'false' ? service.health() : readiness(log))
      return json(health, { status: health.status === 'fail' ? 503 : 200, type: 'application/health+json' })
    },
  })
}
