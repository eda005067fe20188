import type { HttpHandler, HttpRequest, HttpResponseInit, InvocationContext } from '@azure/functions'
import type { Service } from '../lib/service/service.ts'
import { logTo } from './log.ts'

/** Never stored, never sniffed, never framed: what every answer of ours carries. */
export const privateHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

/** Where the service is found once it is resolved: functions are registered before that. */
export type ServiceRef = () => Service

/** A JSON answer with the status 200. */
export function json(body: unknown, contentType = 'application/json'): HttpResponseInit {
  return { body: JSON.stringify(body), headers: { ...privateHeaders, 'content-type': contentType } }
}

/**
 * Turns an unexpected error into a 500 with problem details (RFC 9457) that say nothing of the inside: no stack, no
 * path, no text of another system. The log gets the error's name.
 */
export function guarded(
  handler: (request: HttpRequest, context: InvocationContext) => Promise<HttpResponseInit>,
): HttpHandler {
  return async (request, context) => {
    try {
      return await handler(request, context)
    } catch (error) {
      const code =
        error instanceof Error && error.name === 'ServiceError' && 'code' in error ? String(error.code) : 'UNEXPECTED'
      logTo(context)({
        level: 'error',
        event: 'request.failed',
        code,
        message: error instanceof Error ? error.name : 'unknown',
      })
      const problem = {
        type: 'about:blank',
        title: 'Internal Server Error',
        status: 500,
        code,
        instance: context.invocationId,
      }
      return { ...json(problem, 'application/problem+json'), status: 500 }
    }
  }
}
