import type { InvocationRequest, RpcHttpRequest } from '../../emulator/core-types.ts'
import { createNullableMap } from './request-headers.ts'
import type { NullableMap, RequestHeaders } from './request-headers.ts'
import type { RequestTarget } from './request-target.ts'

/** What the host knows about an HTTP request when a function has been found for it. */
export interface MatchedRequest {
  readonly scheme: 'http' | 'https'
  readonly method: string
  readonly host: string
  readonly target: RequestTarget
  readonly headers: RequestHeaders
  readonly params: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

/** The request in the form in which the real host sends it to the worker. */
export function toRpcRequest({ scheme, method, host, target, headers, params, body }: MatchedRequest): RpcHttpRequest {
  const nullableParams = createNullableMap()
  for (const name in params) nullableParams[name] = { value: params[name] ?? '' }
  return {
    method,
    url: `${scheme}://${host}${target.path}${target.search}`,
    nullableHeaders: headers,
    nullableQuery: readQuery(target.search),
    nullableParams,
    ...(body === undefined || body.length === 0 ? {} : { body: { bytes: body } }),
  }
}

/** Repeated keys are one key, whatever their case, with their values joined by a comma. */
function readQuery(search: string): NullableMap {
  const query = createNullableMap()
  if (search.length < 2) return query
  const names = new Map<string, string>()
  for (const [key, value] of new URLSearchParams(search)) {
    const name = names.get(key.toLowerCase())
    names.set(key.toLowerCase(), name ?? key)
    query[name ?? key] = { value: name === undefined ? value : `${query[name]?.value ?? ''},${value}` }
  }
  return query
}

/** The W3C trace context that the caller sent. */
export function traceContext(headers: RequestHeaders): Pick<InvocationRequest, 'traceContext'> {
  const traceParent = headers['traceparent']?.value
  if (traceParent === undefined) return {}
  return { traceContext: { traceParent, traceState: headers['tracestate']?.value ?? '', attributes: {} } }
}
