import type { IncomingHttpHeaders } from 'node:http'
import type { Step } from '../faults/fault.ts'
import { type Answer, type Role, refusal } from './answer.ts'

/** A request with its whole body. */
export interface EnclaveRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
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
  readonly step?: Step | undefined
  readonly handle: Handler
}

export type Handler = (request: EnclaveRequest, parameters: PathParameters) => Answer | Promise<Answer>

/** The step of a request, and its answer. An unknown path answers 404, and a wrong method 405. */
export interface RouteMatch {
  readonly step: Step | undefined
  readonly answer: () => Answer | Promise<Answer>
}

export function matchRoute(role: Role, routes: readonly Route[], request: EnclaveRequest): RouteMatch {
  const candidates = routes.flatMap((route) => {
    const parameters = matchPath(route.path, request.path)
    return parameters ? [{ ...route, parameters }] : []
  })
  const found = candidates.find(({ method }) => method === '*' || method === request.method)
  if (found) return { step: found.step, answer: () => found.handle(request, found.parameters) }
  const allow = candidates.map(({ method }) => method).join(', ')
  const unknown = refusal(role, 404, 'NotFound', `The enclave serves nothing at ${request.path}.`)
  const refused = refusal(role, 405, 'MethodNotAllowed', `Use ${allow}.`)
  const answer = allow === '' ? unknown : { ...refused, headers: { ...refused.headers, allow } }
  return { step: candidates[0]?.step, answer: () => answer }
}

function matchPath(pattern: string, path: string): PathParameters | undefined {
  if (pattern === '*') return {}
  const [expected, given] = [pattern.split('/'), path.split('/')]
  if (expected.length !== given.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, segment] of expected.entries()) {
    const text = given[index] ?? ''
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined ? segment.toLowerCase() !== text.toLowerCase() : text === '') return undefined
    if (name !== undefined) parameters[name] = decodeSegment(text)
  }
  return parameters
}

/** A segment that is no valid percent-encoding stays as it is. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
