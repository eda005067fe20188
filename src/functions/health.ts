import { app } from '@azure/functions'
import { guarded, json, type ServiceRef } from './answer.ts'

/** GET `/api/health`: for probes of App Service and Kubernetes, so it is open to all and contacts nobody. */
export function registerHealth(service: ServiceRef): void {
  app.http('health', {
    route: 'api/health',
    methods: ['GET', 'HEAD'],
    authLevel: 'anonymous',
    handler: guarded(async () => {
      const health = service().health()
      return { ...json(health, 'application/health+json'), status: health.status === 'fail' ? 503 : 200 }
    }),
  })
}
