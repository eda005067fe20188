import { loadOnce } from '../lib/base/waiting.ts'
import type { Service } from '../lib/service/service.ts'
import { httpFunction, privateHeaders, type DescribedFunction, type Operation } from './http-function.ts'

export const metrics = loadOnce(() => import('../lib/service/metrics.ts'))

const openApi: Operation = {
  summary: 'Metrics for Prometheus',
  responses: {
    200: {
      description: 'In the text format of Prometheus, or as OpenMetrics for a client that accepts it.',
      types: ['text/plain', 'application/openmetrics-text'],
    },
  },
}

/** GET `/api/metrics` */
export function metricsFunction(service: Service): DescribedFunction {
  return httpFunction({
    name: 'metrics',
    path: 'api/metrics',
    authLevel: service.settings.httpAuthLevel,
    openApi,
    async handle({ headers }, log) {
      const [{ renderMetrics }, state] = await Promise.all([metrics(), service.cachedState(log)])
      const format = headers['accept']?.includes('application/openmetrics-text') ? 'openmetrics' : 'text'
      const { body, contentType } = await renderMetrics(service.cloud, service.settings, state, format)
      return { status: 200, headers: { ...privateHeaders, 'content-type': contentType }, body }
    },
  })
}
