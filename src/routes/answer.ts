import type { HttpHandler, HttpRequest, HttpResponseInit, InvocationContext } from '@azure/functions'
import { isServiceError } from '../lib/errors.ts'
import type { Service } from '../lib/service/service.ts'
import { logTo } from './log.ts'

/** Never stored, never sniffed, never embedded by another site: what every answer of ours carries. */
export const privateHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const

/** Where the service is found once it is resolved: functions are registered before that. */
export type ServiceRef = () => Service

/** A JSON answer with the status 200. */
export function json(body: unknown, contentType = 'application/json'): HttpResponseInit {
  return { body: JSON.stringify(body), headers: { ...privateHeaders, 'content-type': contentType } }
}

type Handler = (request: HttpRequest, context: InvocationContext) => Promise<HttpResponseInit>

/**
 * A route of ours: a request that another site makes a browser send is refused, and an unexpected error is a 500. Both say with problem
 * details (RFC 9457) nothing of the inside: no stack, no path, no text of another system. The log gets the error's name.
 *
 * @param options.opensInBrowser Whether a link on another site may lead here: a person then looks at a page of its own.
 *   One on the same site may lead to every route.
 */
export function guarded(handler: Handler, { opensInBrowser = false } = {}): HttpHandler {
  return async (request, context) => {
    if (isForeign(request, opensInBrowser)) {
      return problem(403, 'Forbidden', 'CROSS_SITE_REQUEST', context)
    }
    try {
      return await handler(request, context)
    } catch (error) {
      const code = isServiceError(error) ? error.code : 'UNEXPECTED'
      logTo(context)({
        level: 'error',
        event: 'request.failed',
        code,
        message: error instanceof Error ? error.name : 'unknown',
      })
      return problem(500, 'Internal Server Error', code, context)
    }
  }
}

/**
 * A request that a page of somebody else made a browser send. Another port of this machine is the same site to a browser, so only the
 * page's own origin counts, what a person typed, and a link. Everything but browsers sends no such header.
 */
function isForeign(request: HttpRequest, opensInBrowser: boolean): boolean {
  const site = request.headers.get('sec-fetch-site') ?? 'none'
  if (site === 'same-origin' || site === 'none') return !isOwnOrigin(request)
  return !(isNavigation(request) && (opensInBrowser || site === 'same-site'))
}

/** Our own pages read only, for which browsers send no origin; older ones say nothing else. */
function isOwnOrigin({ headers, url }: HttpRequest): boolean {
  const origin = headers.get('origin')
  return origin === null || URL.parse(origin)?.host === new URL(url).host
}

/** A link or an address typed, in a tab of its own: no frame, no script, no image. */
function isNavigation({ headers }: HttpRequest): boolean {
  return headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
}

function problem(status: number, title: string, code: string, { invocationId }: InvocationContext): HttpResponseInit {
  const details = { type: 'about:blank', title, status, code, instance: invocationId }
  return { ...json(details, 'application/problem+json'), status }
}
