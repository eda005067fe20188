import type { IncomingMessage, ServerResponse } from 'node:http'

import { isObject, parseJson } from '../../lib/base/json.ts'
import type { App } from '../../lib/base/app.ts'
import type { Timers } from '../timer/timers.ts'
import type { KeyCheck } from './access-keys.ts'
import { sendAnswer, sendEmpty } from './http-response.ts'
import { readBody } from './request-body.ts'
import type { RequestHeaders } from './request-headers.ts'
import type { RequestTarget } from './request-target.ts'
import { unauthorized } from './unauthorized.ts'

/** A request to the server's own API. */
export interface AdminRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: RequestTarget
  readonly headers: RequestHeaders
}

/** `/admin` and below belongs to the server, even if a route of the app has such a path. */
export function isAdminPath(path: string): boolean {
  return /^\/admin(\/|$)/i.test(path)
}

/**
 * Serves, as the Functions host does, `/admin/host/ping`, open to all: this process is alive. And with the key
 * `POST /admin/functions/{name}`, which runs a timer by hand. The rest of that API is refused by name.
 */
export function createAdmin(
  { functions }: App,
  timers: Timers,
  hasKey: KeyCheck,
): (request: AdminRequest) => Promise<void> {
  return async (admin) => {
    const { request, response, target, headers } = admin
    const path = target.routePath.toLowerCase().replace(/\/$/, '')
    const name = /^\/admin\/functions\/([^/]+)$/.exec(path)?.[1]
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (path === '/admin/host/ping' && isRead) sendEmpty(response, 200)
    else if (!hasKey(headers, target.search)) sendAnswer(response, unauthorized(headers))
    else if (name !== undefined && request.method === 'POST') sendEmpty(response, await invoke(admin, name))
    else sendAnswer(response, unsupported)
  }

  async function invoke({ request, headers }: AdminRequest, name: string): Promise<number> {
    // A page of another site can post here without the user knowing; it cannot send this content type, or hide its origin.
    if (!isSameSite(headers)) return 403
    if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return 415
    const body = await readBody(request)
    if (body === undefined) return 413
    if (!isObject(parseJson(body.toString('utf8')))) return 400
    // The Functions host accepts the function of a route too.
    return timers.run(name) || functions.some((each) => each.name.toLowerCase() === name) ? 202 : 404
  }
}

function isSameSite({ origin, host = '', 'sec-fetch-site': site = 'none' }: RequestHeaders): boolean {
  if (origin !== undefined && URL.parse(origin)?.host !== URL.parse(`http://${host}`)?.host) return false
  return ['same-origin', 'none'].includes(site)
}

const unsupported = {
  status: 501,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'Only /admin/host/ping and POST /admin/functions/{name} are served.\n',
}
