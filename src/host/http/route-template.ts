import { HostError } from '../errors.ts'
import { compileConstraint } from './route-constraints.ts'
import type { Constraint } from './route-constraints.ts'

export interface LiteralSegment {
  readonly kind: 'literal'
  /** In lower case. */
  readonly text: string
}

export interface ParameterSegment {
  readonly kind: 'parameter' | 'catchAll'
  readonly name: string
  readonly isOptional: boolean
  readonly constraints: readonly Constraint[]
}

export type RouteSegment = LiteralSegment | ParameterSegment

/**
 * Parses a route as the Functions host understands it: literals, `{name}`, `{name?}`, `{name:constraint}` and `{*rest}`.
 * https://learn.microsoft.com/azure/azure-functions/functions-bindings-http-webhook-trigger#customize-the-http-endpoint
 *
 * @throws {HostError} `ROUTE_INVALID`, naming the function, or `FEATURE_UNSUPPORTED` for a part of ASP.NET routing that
 * this host does not know.
 */
export function parseRoute(route: string, functionName: string): readonly RouteSegment[] {
  const trimmed = route.replace(/^\/+|\/+$/g, '')
  const parts = trimmed === '' ? [] : trimmed.split('/')
  const segments = parts.map((part) => parseSegment(part, route, functionName))
  checkOrder(segments, route, functionName)
  return segments
}

function parseSegment(part: string, route: string, functionName: string): RouteSegment {
  if (part === '') throw invalid(route, functionName, 'has an empty segment')
  if (!/[{}?*]/.test(part)) return { kind: 'literal', text: part.toLowerCase() }
  const inner = /^\{([^{}=]+)\}$/.exec(part)?.[1]
  if (inner === undefined) throw unsupported(route, functionName, `"${part}"`)
  const isCatchAll = inner.startsWith('*')
  const isOptional = inner.endsWith('?')
  const [name = '', ...constraints] = inner
    .replace(/^\*{1,2}/, '')
    .replace(/\?$/, '')
    .split(':')
  if (!/^\w[\w-]*$/.test(name)) throw invalid(route, functionName, `has a bad parameter name in "${part}"`)
  if (isCatchAll && isOptional) throw invalid(route, functionName, 'has an optional catch-all parameter')
  return {
    kind: isCatchAll ? 'catchAll' : 'parameter',
    name,
    isOptional,
    constraints: constraints.map((text) => {
      const constraint = compileConstraint(text)
      if (constraint === undefined) throw unsupported(route, functionName, `constraint "${text}"`)
      return constraint
    }),
  }
}

function checkOrder(segments: readonly RouteSegment[], route: string, functionName: string): void {
  const names = new Set<string>()
  for (const [index, segment] of segments.entries()) {
    if (segment.kind === 'literal') continue
    const isLast = index === segments.length - 1
    if (!isLast && (segment.kind === 'catchAll' || segment.isOptional)) {
      throw invalid(
        route,
        functionName,
        `has {${segment.name}} before its end, and only the last segment may be absent`,
      )
    }
    if (names.has(segment.name.toLowerCase())) throw invalid(route, functionName, `has {${segment.name}} twice`)
    names.add(segment.name.toLowerCase())
  }
}

function invalid(route: string, functionName: string, problem: string): HostError {
  return new HostError('ROUTE_INVALID', `The route "${route}" of function "${functionName}" ${problem}.`)
}

function unsupported(route: string, functionName: string, feature: string): HostError {
  return new HostError(
    'FEATURE_UNSUPPORTED',
    `The route "${route}" of function "${functionName}" has ${feature}, which the embedded host does not support.`,
  )
}
