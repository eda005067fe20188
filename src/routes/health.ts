import { guarded, json, type ServiceRef } from './answer.ts'
import { page } from './home.ts'
import { logTo } from './log.ts'
import { metrics } from './metrics.ts'
import { registerRoute } from '../functions/register.ts'

/**
 * GET `/api/health`: for probes of App Service and Kubernetes, so it is open to all and contacts nobody. As it stands it says whether the
 * process is alive and worth keeping; with `?ready` whether it can answer, all its parts loaded.
 */
export function registerHealth(service: ServiceRef): void {
  registerRoute(
    'health',
    { route: 'api/health', authLevel: 'anonymous' },
    guarded(async (request, context) => {
      const asked = request.query.get('ready')
      const health =
        asked === null || asked === 'false'
          ? service().health()
          : await service().readiness(logTo(context), [page, metrics])
      return { ...json(health, 'application/health+json'), status: health.status === 'fail' ? 503 : 200 }
    }),
  )
}
