import type { Log } from '../lib/base/app.ts'
import type { Service } from '../lib/service/service.ts'
import { page } from './home.ts'
import { httpFunction, json, type DescribedFunction, type Operation } from './http-function.ts'
import { metrics } from './metrics.ts'

const type = 'application/health+json'

const openApi: Operation = {
  summary: 'Whether this process should keep running or is ready, from cached results',
  parameters: [
    {
      name: 'ready',
      in: 'query',
      required: false,
      description:
        'Any value except `false` loads every part of the process and reports whether it can serve requests.',
      schema: { type: 'string' },
    },
  ],
  responses: {
    200: { description: 'The status is `pass` or `warn`.', types: [type], schema: 'HealthReport' },
    503: {
      description: 'The status is `fail`. The body is empty if the server stopped before the route responded.',
      types: [type],
      schema: 'HealthReport',
    },
  },
}

/** GET `/api/health`: App Service and Kubernetes probe it often and without a key, so it makes no outbound request. */
export function healthFunction(service: Service, isDraining: () => boolean): DescribedFunction {
  const readiness = async (log: Log) => {
    if (!isDraining()) return service.readiness(log, [page, metrics])
    return { ...(await service.health()), status: 'fail' as const, description: 'This process is stopping' }
  }
  return httpFunction({
    name: 'health',
    path: 'api/health',
    authLevel: 'anonymous',
    openApi,
    async handle({ query: { ready = 'false' } }, log) {
      const health = await (ready === 'false' ? service.health() : readiness(log))
      return json(health, { status: health.status === 'fail' ? 503 : 200, type })
    },
  })
}
