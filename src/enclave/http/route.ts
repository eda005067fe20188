import type { IncomingHttpHeaders } from 'node:http'
import type { Step } from '../roles.ts'

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

export type PathParameters = Readonly<Record<string, string>>

/**
 * One address of a role. A `{name}` segment of `path` matches one whole segment, and letter case does not matter, as in the real
 * services. `*` alone matches any path.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | '*'
  readonly path: string
  readonly step?: Step
  readonly handle: (request: EnclaveRequest, parameters: PathParameters) => Answer | Promise<Answer>
}

export interface RouteMatch {
  readonly step: Step | undefined
  readonly answer: () => Answer | Promise<Answer>
}

/** The route for a request. An unknown path answers 404, and a wrong method 405. */
export function matchRoute(routes: readonly Route[], request: EnclaveRequest): RouteMatch {
  const candidates = routes.flatMap((route) => {
    const parameters = matchPath(route.path, request.path)
    return parameters ? [{ route, parameters }] : []
  })
  const found = candidates.find(({ route }) => route.method === '*' || route.method === request.method)
  if (found) {
    return { step: found.route.step, answer: () => found.route.handle(request, found.parameters) }
  }
  const allowed = candidates.map(({ route }) => route.method).join(', ')
  const refusal =
    allowed === ''
      ? json(404, { error: { code: 'NotFound', message: `The enclave serves nothing at ${request.path}.` } })
      : json(405, { error: { code: 'MethodNotAllowed', message: `Use ${allowed}.` } }, { allow: allowed })
  return { step: candidates[0]?.route.step, answer: () => refusal }
}

function matchPath(pattern: string, path: string): PathParameters | undefined {
  if (pattern === '*') return {}
  const expected = pattern.split('/')
  const actual = path.split('/')
  if (expected.length !== actual.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, segment] of expected.entries()) {
    const value = actual[index] ?? ''
    if (!segment.startsWith('{')) {
      if (segment.toLowerCase() !== value.toLowerCase()) return undefined
    } else {
      if (value === '') return undefined
      parameters[segment.slice(1, -1)] = decodeSegment(value)
    }
  }
  return parameters
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
