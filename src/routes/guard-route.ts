import type { Log } from '../lib/diagnostics/log-event.ts'
import { isServiceError } from '../lib/errors.ts'
import { logTo } from './log.ts'
import type { ProblemDetails } from './problem-details.ts'
import type { Route, RouteAnswer, RouteRequest } from './route.ts'

/** Never stored, never sniffed, never embedded by another site: every answer carries these headers. */
export const privateHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const

export function json(body: unknown, { status = 200, type = 'application/json' } = {}): RouteAnswer {
  return { status, headers: { ...privateHeaders, 'content-type': type }, body: JSON.stringify(body) }
}

type Extra = Pick<ProblemDetails, 'detail' | 'instance' | 'fields'>

/** Problem details (RFC 9457). */
export function problem(status: number, code: string, title: string, more: Extra): RouteAnswer {
  const body: ProblemDetails = { type: 'about:blank', title, status, code, ...more }
  return json(body, { status, type: 'application/problem+json' })
}

interface UnguardedRoute extends Omit<Route, 'handle' | 'methods'> {
  /** Whether a link on another site may lead here. A link on the same site may lead to every route. */
  readonly opensInBrowser?: boolean
  readonly handle: (request: RouteRequest, log: Log) => Promise<RouteAnswer>
}

/**
 * Refuses a request that another site makes a browser send, and turns an unexpected error into a 500. Both answers hide the inside: no
 * stack, no path, no text of another system. The log gets the error's name.
 */
export function guardRoute({ opensInBrowser = false, handle, ...route }: UnguardedRoute): Route {
  return {
    ...route,
    methods: ['GET', 'HEAD'],
    async handle(request, context) {
      if (isForeign(request, opensInBrowser)) {
        return problem(403, 'CROSS_SITE_REQUEST', 'Forbidden', { instance: context.id })
      }
      try {
        return await handle(request, logTo(context))
      } catch (error) {
        const code = isServiceError(error) ? error.code : 'UNEXPECTED'
        const message = error instanceof Error ? error.name : 'unknown'
        logTo(context)({ level: 'error', event: 'request.failed', code, message })
        return problem(500, code, 'Internal Server Error', { instance: context.id })
      }
    },
  }
}

/**
 * Whether a page of another site made a browser send the request. To a browser, another port of this machine is the same site, so only
 * the page's own origin, a typed address and a link are accepted. Clients that are no browser send no such header.
 */
function isForeign({ headers }: RouteRequest, opensInBrowser: boolean): boolean {
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site === 'same-origin' || site === 'none') return !isOwnOrigin(headers)
  // A link or a typed address in a tab: no frame, no script, no image.
  const isNavigation = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  return !(isNavigation && (opensInBrowser || site === 'same-site'))
}

/** Our own pages only read, for which browsers send no origin. Older browsers send no other sign. */
function isOwnOrigin({ origin, host = '' }: RouteRequest['headers']): boolean {
  if (origin === undefined) return true
  const url = URL.parse(origin)
  return url !== null && url.host === URL.parse(`${url.protocol}//${host}`)?.host
}
