import type { ServerResponse } from 'node:http'

import type { RpcBody, RpcHttpResponse } from '../../emulator/core-types.ts'
import { HostError } from '../errors.ts'

/** Headers that belong to the connection or to the framing of the message: the host's to set, not the app's. */
const hostHeaders = new Set(
  'connection content-length keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' '),
)

/** Statuses that have no body and no length. */
const bodiless = new Set([204, 304])

/** Answers with a status and an empty body. */
export function sendEmpty(response: ServerResponse, status: number): void {
  response.writeHead(status, bodiless.has(status) ? {} : { 'content-length': '0' })
  response.end()
}

/** Answers with what a function returned; 204 when that was nothing. */
export function sendResult(response: ServerResponse, result: RpcHttpResponse | null | undefined): void {
  if (result === null || result === undefined) {
    sendEmpty(response, 204)
    return
  }
  if ((result.cookies?.length ?? 0) > 0) {
    throw new HostError(
      'FEATURE_UNSUPPORTED',
      'cookies of an answer are not supported by the embedded host. Remove them.',
    )
  }
  const status = Number(result.statusCode ?? 200)
  const body = toBuffer(result.body)
  response.writeHead(status, renderHeaders(result, status, body, response.req.method === 'HEAD'))
  response.end(body)
}

/** Names and values in turn. */
function renderHeaders(result: RpcHttpResponse, status: number, body: Buffer | undefined, isHead: boolean): string[] {
  const headers: string[] = []
  const given = result.headers ?? {}
  for (const name in given) {
    if (!hostHeaders.has(name.toLowerCase())) headers.push(name, given[name] ?? '')
  }
  if (!bodiless.has(status)) {
    // A HEAD handler may tell the length of the body it leaves out.
    const told = isHead && (body === undefined || body.length === 0) ? given['content-length'] : undefined
    headers.push('content-length', told !== undefined && /^\d+$/.test(told) ? told : String(body?.length ?? 0))
  }
  return headers
}

function toBuffer(body: RpcBody | null | undefined): Buffer | undefined {
  const bytes = body?.bytes
  if (bytes !== undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return body?.string === undefined ? undefined : Buffer.from(body.string)
}
