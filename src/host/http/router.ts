import { HostError } from '../errors.ts'
import type { IndexedFunction } from '../app/function-index.ts'
import type { HttpFunction } from '../app/registered-function.ts'
import { parseRoute } from './route-template.ts'
import type { RouteSegment } from './route-template.ts'

export interface RouteMatch {
  readonly entry: IndexedFunction<HttpFunction>
  readonly params: Readonly<Record<string, string>>
}

/**
 * Finds the function for a method (in upper case) and a decoded path. Routes are tried in function-name order; case and a
 * final slash do not matter.
 */
export type Router = (method: string, path: string) => RouteMatch | undefined

interface CompiledRoute {
  readonly entry: IndexedFunction<HttpFunction>
  readonly segments: readonly RouteSegment[]
  readonly methods: ReadonlySet<string> | undefined
  /** The whole path in lower case, when the route has no parameters. */
  readonly literal: string | undefined
}

const noParams = {}

/** @throws {HostError} `ROUTE_INVALID` or `FEATURE_UNSUPPORTED`, naming the function. */
export function createRouter(functions: readonly IndexedFunction<HttpFunction>[], prefix: string): Router {
  const routes = functions.map((entry) => compileRoute(entry, prefix))
  checkConflicts(routes)
  const active = routes.filter(({ entry }) => !entry.info.isDisabled)
  return (method, path) => {
    const trimmed = path.endsWith('/') ? path.slice(0, -1) : path
    const lower = trimmed.toLowerCase()
    let parts: readonly string[] | undefined
    for (const { entry, segments, methods, literal } of active) {
      if (methods !== undefined && !methods.has(method)) continue
      if (literal !== undefined) {
        if (literal === lower) return { entry, params: noParams }
        continue
      }
      parts ??= trimmed === '' ? [] : trimmed.slice(1).split('/')
      const params = matchSegments(segments, parts)
      if (params !== undefined) return { entry, params }
    }
    return undefined
  }
}

function compileRoute(entry: IndexedFunction<HttpFunction>, prefix: string): CompiledRoute {
  const { name, route, methods } = entry.info
  const segments = [...parseRoute(prefix, name), ...parseRoute(route, name)]
  const [first] = segments
  const isReserved = route !== name && /^\/*(admin|runtime)/i.test(route)
  if (isReserved || (first?.kind === 'literal' && first.text === 'admin')) {
    throw new HostError(
      'ROUTE_INVALID',
      `The route "${route}" of function "${name}" conflicts with the host's own: it must not begin with admin or runtime.`,
    )
  }
  const isLiteral = segments.every((segment) => segment.kind === 'literal')
  return {
    entry,
    segments,
    methods: methods === undefined ? undefined : new Set(methods),
    literal: isLiteral ? segments.map(({ text }) => `/${text}`).join('') : undefined,
  }
}

function checkConflicts(routes: readonly CompiledRoute[]): void {
  for (const [index, a] of routes.entries()) {
    for (const b of routes.slice(index + 1)) {
      if (a.entry.info.route.toLowerCase() !== b.entry.info.route.toLowerCase() || !shareMethod(a, b)) continue
      throw new HostError(
        'ROUTE_INVALID',
        `The route "${b.entry.info.route}" of function "${b.entry.info.name}" is that of function "${a.entry.info.name}".`,
      )
    }
  }
}

function shareMethod(a: CompiledRoute, b: CompiledRoute): boolean {
  const { methods } = b
  return a.methods === undefined || methods === undefined || [...a.methods].some((method) => methods.has(method))
}

function matchSegments(
  segments: readonly RouteSegment[],
  parts: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const params: Record<string, string> = {}
  let index = 0
  for (const segment of segments) {
    if (segment.kind === 'literal') {
      if (parts[index]?.toLowerCase() !== segment.text) return undefined
    } else {
      const isCatchAll = segment.kind === 'catchAll'
      const value = isCatchAll ? parts.slice(index).join('/') : (parts[index] ?? '')
      if (value === '') {
        if (!isCatchAll && !segment.isOptional) return undefined
      } else if (segment.constraints.every((accepts) => accepts(value))) {
        params[segment.name] = value
      } else {
        return undefined
      }
      if (isCatchAll) return params
    }
    index += 1
  }
  return parts.length > index ? undefined : params
}
