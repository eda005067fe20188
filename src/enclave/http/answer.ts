import type { IncomingHttpHeaders } from 'node:http'

/** A request with its whole body. */
export interface EnclaveRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** The answer of a route, as data that a fault can change. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(value),
  }
}

export function html(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body,
  }
}

/** The form fields of a POST, without blank ones: a blank field counts as absent. */
export function formOf(request: EnclaveRequest): ReadonlyMap<string, string> {
  return new Map([...new URLSearchParams(request.body.toString())].filter(([, value]) => value !== ''))
}
