import type { IncomingMessage, ServerResponse } from 'node:http'

import type { KeyCheck } from './access-keys.ts'
import { isTimer } from '../../emulator/function-index.ts'
import type { IndexedFunction } from '../../emulator/function-index.ts'
import { sendEmpty } from './http-response.ts'
import { isJsonObject } from '../json-file.ts'
import { readBody } from './request-body.ts'
import type { RequestHeaders } from './request-headers.ts'
import type { RequestTarget } from './request-target.ts'
import type { Timers } from '../timer/timers.ts'

/** A request to the host's own API. */
export interface AdminRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: RequestTarget
  readonly headers: RequestHeaders
}

/** `/admin` and below is the host's own, whatever the app's routes say. */
export function isAdminPath(path: string): boolean {
  return /^\/admin(\/|$)/i.test(path)
}

/**
 * Serves `/admin/host/ping`, open to all: this process is alive. And with the key `POST /admin/functions/{name}`, which runs
 * a timer by hand. The rest of the real host's API is refused by name.
 */
export function createAdmin(
  functions: readonly IndexedFunction[],
  timers: Timers,
  hasKey: KeyCheck,
): (request: AdminRequest) => Promise<void> {
  return async (admin) => {
    const { request, response, target, headers } = admin
    const path = target.routePath.toLowerCase().replace(/\/$/, '')
    const name = /^\/admin\/functions\/([^/]+)$/.exec(path)?.[1]
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (path === '/admin/host/ping' && isRead) sendEmpty(response, 200)
    else if (!hasKey(headers, target.search)) sendEmpty(response, 401)
    else if (name !== undefined && request.method === 'POST') sendEmpty(response, await invoke(admin, name))
    else sendUnsupported(response)
  }

  async function invoke({ request, headers }: AdminRequest, name: string): Promise<number> {
    // A page of another site can post here without the user knowing; it cannot send this content type, or hide its origin.
    if (!isSameSite(headers)) return 403
    if (!/^application\/json\s*(;|$)/i.test(headers['content-type']?.value ?? '')) return 415
    const body = await readBody(request)
    if (body === undefined) return 413
    if (!isJsonObject(parse(body.toString('utf8')))) return 400
    const entry = functions.find(({ info }) => info.name.toLowerCase() === name)
    if (entry === undefined) return 404
    if (!isTimer(entry)) return 400
    timers.run(entry)
    return 202
  }
}

function isSameSite(headers: RequestHeaders): boolean {
  const origin = headers['origin']?.value
  if (origin !== undefined && URL.parse(origin)?.host !== URL.parse(`http://${headers['host']?.value ?? ''}`)?.host) {
    return false
  }
  return ['same-origin', 'none'].includes(headers['sec-fetch-site']?.value ?? 'none')
}

function sendUnsupported(response: ServerResponse): void {
  const body = 'The embedded host serves /admin/host/ping and POST /admin/functions/{name} only.\n'
  response.writeHead(501, { 'content-type': 'text/plain; charset=utf-8', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
