import type { HttpFunction } from '../../lib/base/app.ts'
import { StartError } from '../start-error.ts'

interface RouteMatch {
  readonly route: HttpFunction
  readonly params: Readonly<Record<string, string>>
}

/**
 * Finds the route for a method (in upper case) and a decoded path. Routes are tried in the order of their names; case and a
 * final slash do not matter.
 */
export type Router = (method: string, path: string) => RouteMatch | undefined

interface CompiledRoute {
  readonly route: HttpFunction
  readonly methods: ReadonlySet<string> | undefined
  /** In lower case, without a final slash: `/api/profile`, or empty for the root. */
  readonly path: string
  /** The name of the parameter that takes the rest of the path. */
  readonly rest: string | undefined
}

/** @throws {StartError} `ROUTE_INVALID` or `FEATURE_UNSUPPORTED`, naming the function. */
export function createRouter(routes: readonly HttpFunction[]): Router {
  const compiled = routes.map(compileRoute)
  compiled.sort((a, b) => (a.route.name.toLowerCase() < b.route.name.toLowerCase() ? -1 : 1))
  checkConflicts(compiled)
  return (method, path) => {
    const single = withoutDoubleStart(path)
    const trimmed = single.endsWith('/') ? single.slice(0, -1) : single
    const lower = trimmed.toLowerCase()
    for (const { route, methods, path: own, rest } of compiled) {
      if (methods !== undefined && !methods.has(method)) continue
      if (lower === own) return { route, params: {} }
      if (rest !== undefined && lower.startsWith(`${own}/`)) {
        return { route, params: { [rest]: trimmed.slice(own.length + 1) } }
      }
    }
    return undefined
  }
}

/** Clients that join an address with its final slash and a path ask for `//path`. The Functions host answers 404 to those. */
function withoutDoubleStart(path: string): string {
  let start = 0
  while (path[start + 1] === '/') start++
  return start + 1 === path.length ? path : path.slice(start)
}

/** Fixed segments, and at the end `{*name}` for any others. Of ASP.NET's templates our routes need no more. */
function compileRoute(route: HttpFunction): CompiledRoute {
  const { name, path, methods } = route
  const segments = path.split('/').filter((segment) => segment !== '')
  const rest = /^\{\*{1,2}(\w+)\}$/.exec(segments.at(-1) ?? '')?.[1]
  const fixed = rest === undefined ? segments : segments.slice(0, -1)
  const unsupported = fixed.find((segment) => /[{}?*]/.test(segment))
  if (unsupported !== undefined) {
    throw new StartError(
      'FEATURE_UNSUPPORTED',
      `The route "${path}" of function "${name}" has "${unsupported}", which is not supported: use fixed segments and a final {*name}.`,
    )
  }
  if (fixed[0]?.toLowerCase() === 'admin') {
    throw new StartError(
      'ROUTE_INVALID',
      `The route "${path}" of function "${name}" conflicts with the server's own: it must not begin with admin.`,
    )
  }
  return {
    route,
    methods: methods === undefined ? undefined : new Set(methods),
    path: fixed.map((segment) => `/${segment.toLowerCase()}`).join(''),
    rest,
  }
}

function checkConflicts(routes: readonly CompiledRoute[]): void {
  for (const [index, a] of routes.entries()) {
    for (const b of routes.slice(index + 1)) {
      if (a.path !== b.path || (a.rest === undefined) !== (b.rest === undefined) || !shareMethod(a, b)) continue
      throw new StartError(
        'ROUTE_INVALID',
        `The route "${b.route.path}" of function "${b.route.name}" is also the route of function "${a.route.name}".`,
      )
    }
  }
}

function shareMethod(a: CompiledRoute, b: CompiledRoute): boolean {
  const { methods } = b
  return a.methods === undefined || methods === undefined || [...a.methods].some((method) => methods.has(method))
}
