import type { ServerResponse } from 'node:http'

import type { AppResponse } from '../../lib/base/app.ts'

/** Statuses that have no body and no length. */
const bodiless = new Set([204, 304])

/** Answers with a status and an empty body. */
export function sendEmpty(response: ServerResponse, status: number): void {
  response.writeHead(status, bodiless.has(status) ? {} : { 'content-length': '0' })
  response.end()
}

export function sendAnswer(response: ServerResponse, { status, headers, body }: AppResponse): void {
  const pairs: string[] = []
  for (const name in headers) pairs.push(name, headers[name] ?? '')
  // A HEAD handler may give the length of the body that it leaves out.
  if (!bodiless.has(status) && headers['content-length'] === undefined) {
    pairs.push('content-length', String(body === undefined ? 0 : Buffer.byteLength(body)))
  }
  response.writeHead(status, pairs)
  response.end(body)
}
