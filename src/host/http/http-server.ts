import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

import type { Activity } from '../activity.ts'
import type { KeyCheck } from './access-keys.ts'
import { isAdminPath } from './admin.ts'
import type { AdminRequest } from './admin.ts'
import type { Dispatcher } from '../app/dispatcher.ts'
import { messageOf } from '../errors.ts'
import type { Log } from '../host-log.ts'
import { toRpcRequest, traceContext } from './http-request.ts'
import { sendEmpty, sendResult } from './http-response.ts'
import { maxBodyBytes, readBody } from './request-body.ts'
import { readHeaders } from './request-headers.ts'
import { parseTarget } from './request-target.ts'
import type { Router } from './router.ts'
import { trackRequests } from './track-requests.ts'

export interface ServerParts {
  readonly findRoute: Router
  readonly dispatcher: Dispatcher
  readonly activity: Activity
  readonly hasKey: KeyCheck
  readonly isKnownHost: (host: string) => boolean
  readonly handleAdmin: (request: AdminRequest) => Promise<void>
  readonly log: Log
  /** Whether the host is stopping: what is under way is finished, and nothing new is begun. */
  readonly isClosing: () => boolean
}

/** As the real host's server: 32 KiB of headers. */
const maxHeaderSize = 32 * 1024

/**
 * The HTTP side of the host. Node's own time-outs for slow requests are left on, and its parser answers 400 and 431 to what
 * is no HTTP. Whatever a request holds, the process stays up.
 */
export function createHttpServer(parts: ServerParts): Server {
  const server = createServer({ maxHeaderSize }, (request, response) => {
    handle(parts, request, response).catch((error: unknown) => {
      if (request.destroyed && !request.complete) return
      parts.log({ level: 'error', category: 'host', message: `A request failed: ${messageOf(error)}`, error })
      abandon(response)
    })
  })
  // Bounded by maxHeaderSize. Node's own limit drops headers silently; ours answers 431.
  server.maxHeadersCount = 0
  trackRequests(server, parts.activity)
  return server
}

async function handle(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (parts.isClosing()) {
    response.shouldKeepAlive = false
    sendEmpty(response, 503)
    return
  }
  const headers = readHeaders(request.rawHeaders)
  if (headers === undefined) {
    response.shouldKeepAlive = false
    sendEmpty(response, 431)
    return
  }
  const host = headers['host']?.value ?? ''
  const target = parts.isKnownHost(host) ? parseTarget(request.url ?? '', host) : undefined
  if (target === undefined) {
    sendEmpty(response, 400)
    return
  }
  if (isAdminPath(target.routePath)) {
    await parts.handleAdmin({ request, response, target, headers })
    return
  }
  const method = request.method ?? 'GET'
  const match = parts.findRoute(method, target.routePath)
  if (match === undefined) {
    sendEmpty(response, 404)
    return
  }
  if (match.entry.info.authLevel !== 'anonymous' && !parts.hasKey(headers, target.search)) {
    sendEmpty(response, 401)
    return
  }
  const length = Number(headers['content-length']?.value ?? 0)
  if (length > maxBodyBytes) {
    response.shouldKeepAlive = false
    sendEmpty(response, 413)
    return
  }
  // As in the real host, a body without a length is read and dropped.
  const body = length > 0 ? await readBody(request, maxBodyBytes) : undefined
  if (length === 0) request.resume()

  const http = toRpcRequest({ method, host, target, headers, params: match.params, body })
  let result
  try {
    result = await parts.dispatcher.run(match.entry, { http }, traceContext(headers))
  } catch {
    // Logged where it was thrown. The caller learns nothing of it.
    abandon(response)
    return
  }
  if (parts.isClosing()) response.shouldKeepAlive = false
  sendResult(response, result.returnValue?.http)
}

function abandon(response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else sendEmpty(response, 500)
}
