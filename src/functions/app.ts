import type { App, AppResponse, Log, LogEvent, TimerFunction } from '../lib/base/app.ts'
import { loadOnce } from '../lib/base/waiting.ts'
import type { DiagnosticsReport } from '../lib/diagnostics/report.ts'
import type { Service } from '../lib/service/service.ts'
import type { Settings } from '../lib/settings/settings.ts'
import { httpFunction, ifNoneMatch, json, logTo, parameter, privateHeaders } from './http-function.ts'
import type { DescribedFunction } from './http-function.ts'

// This folder has the functions, each with its OpenAPI description. It uses src/lib and src/page, and knows no platform.

interface DescribedApp extends App {
  readonly functions: readonly DescribedFunction[]
}

const page = loadOnce(() => import('../page/page.ts'))
const metrics = loadOnce(() => import('../lib/service/metrics.ts'))
const healthType = 'application/health+json'

export function createApp(service: Service): DescribedApp {
  const { cloud, settings } = service
  const authLevel = settings.httpAuthLevel
  let isDraining = false

  /** The page. A failed token is a result, so the status is 200, or 304 if the browser's copy is current. */
  const home = httpFunction({
    name: 'home',
    path: '',
    authLevel,
    opensInBrowser: true,
    openApi: {
      summary: 'The page that shows the report',
      parameters: [parameter('header', 'if-none-match', 'The `etag` of an earlier response.')],
      responses: {
        200: {
          description: "The page. Returned whatever the report's status.",
          types: ['text/html'],
          headers: { etag: 'Changes with the content.' },
        },
        304: { description: 'The caller has the current content.', headers: { etag: 'Changes with the content.' } },
      },
    },
    async handle(request, log) {
      const diagnostics = await service.diagnostics(log)
      const [report, { renderPage }] = await Promise.all([diagnostics.report(), page()])
      const shown = { report: visibleReport(report, settings), profile: cloud, banner: settings.classificationBanner }
      const { html, headers } = renderPage(shown)
      return ifNoneMatch(request, { status: 200, headers, body: html })
    },
  })

  // The profile is fixed for the life of the process.
  const profileResponse = json(cloud.profile)
  const profile = httpFunction({
    name: 'profile',
    path: 'api/profile',
    authLevel,
    openApi: {
      summary: 'The resolved profile, which can be saved and used as a custom profile file',
      responses: { 200: { description: 'The profile.', types: ['application/json'], schema: 'CloudProfile' } },
    },
    handle: async () => profileResponse,
  })

  // A cached report keeps its response, because writing the JSON costs more than sending it.
  let last: { readonly report: DiagnosticsReport; readonly response: AppResponse } | undefined
  const diagnostics = httpFunction({
    name: 'diagnostics',
    path: 'api/diagnostics',
    authLevel,
    openApi: {
      summary: 'The report of a new or recent diagnostics run',
      parameters: [
        parameter('query', 'explain', 'If `true`, the report has `fields`: the origin of every profile field.', 'true'),
      ],
      responses: {
        200: {
          description: 'The report. A failed token is a result, not an HTTP error: see `status`.',
          types: ['application/json'],
          schema: 'DiagnosticsReport',
        },
      },
    },
    async handle({ query }, log) {
      const report = await (await service.diagnostics(log)).report({ explain: query['explain'] === 'true' })
      if (last?.report !== report) last = { report, response: json(visibleReport(report, settings)) }
      return last.response
    },
  })

  const readiness = async (log: Log) => {
    if (!isDraining) return service.readiness(log, [page, metrics])
    return { ...(await service.health()), status: 'fail' as const, description: 'This process is stopping' }
  }
  /** App Service and Kubernetes probe it often and without a key, so it makes no outbound request. */
  const health = httpFunction({
    name: 'health',
    path: 'api/health',
    authLevel: 'anonymous',
    openApi: {
      summary: 'Whether this process should keep running or is ready, from cached results',
      parameters: [
        parameter(
          'query',
          'ready',
          'Any value except `false` loads every part of the process and reports whether it can serve requests.',
        ),
      ],
      responses: {
        200: { description: 'The status is `pass` or `warn`.', types: [healthType], schema: 'HealthReport' },
        503: {
          description: 'The status is `fail`. The body is empty if the server stopped before the route responded.',
          types: [healthType],
          schema: 'HealthReport',
        },
      },
    },
    async handle({ query: { ready = 'false' } }, log) {
      const found = await (ready === 'false' ? service.health() : readiness(log))
      return json(found, { status: found.status === 'fail' ? 503 : 200, type: healthType })
    },
  })

  const metricsFunction = httpFunction({
    name: 'metrics',
    path: 'api/metrics',
    authLevel,
    openApi: {
      summary: 'Metrics for Prometheus',
      responses: {
        200: {
          description: 'In the text format of Prometheus, or as OpenMetrics for a client that accepts it.',
          types: ['text/plain', 'application/openmetrics-text'],
        },
      },
    },
    async handle({ headers }, log) {
      const [{ renderMetrics }, cached] = await Promise.all([metrics(), service.cachedState(log)])
      const format = headers['accept']?.includes('application/openmetrics-text') ? 'openmetrics' : 'text'
      const { body, contentType } = await renderMetrics({ cloud, settings, ...cached }, format)
      return { status: 200, headers: { ...privateHeaders, 'content-type': contentType }, body }
    },
  })

  return {
    functions: [home, profile, diagnostics, health, metricsFunction],
    timers: [smokeTest(service)],
    drain: () => (isDraining = true),
  }
}

/**
 * Leaves out a pending sign-in code if HTTP_AUTH_LEVEL is anonymous. Whoever approves the code signs this workload in with their account, so
 * only callers with a key may see it. The log has the code.
 */
export function visibleReport(
  report: DiagnosticsReport,
  { httpAuthLevel }: Pick<Settings, 'httpAuthLevel'>,
): DiagnosticsReport {
  if (httpAuthLevel !== 'anonymous' || report.token.signIn === undefined) return report
  const { signIn: _signIn, ...token } = report.token
  return { ...report, token }
}

/** The scheduled check of every profile. If a profile fails, it throws after logging, so that the platform records a failed run. */
function smokeTest(service: Service): TimerFunction {
  return {
    name: 'smokeTest',
    schedule: service.settings.smokeTestSchedule,
    async run(invocation) {
      const log = logTo(invocation)
      const { status, durationMs, results } = await service.runSmokeTest(log)
      const events = results.map(({ profile, status: each, checks }): LogEvent => {
        const failed = checks.find((check) => check.status === 'fail')
        const details = failed && { code: failed.code ?? 'UNEXPECTED', message: failed.message }
        const level = each === 'fail' ? 'error' : 'info'
        return { level, event: 'smoke-test.profile', profile, status: each, ...details }
      })
      // The active profile is checked last. If it is a built-in profile, it already has the same line.
      const last = JSON.stringify(events.at(-1))
      for (const [index, event] of events.entries())
        if (index === events.length - 1 || JSON.stringify(event) !== last) log(event)
      log({ level: status === 'fail' ? 'error' : 'info', event: 'smoke-test', status, durationMs })
      if (status === 'fail') {
        const names = results.filter((result) => result.status === 'fail').map(({ profile }) => profile)
        throw new Error(`Smoke test failed for ${names.join(', ')}`)
      }
    },
  }
}
