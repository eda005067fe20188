import { HostError } from '../errors.ts'
import type { IndexedFunction } from '../../emulator/function-index.ts'
import type { HttpFunction } from '../../emulator/registered-function.ts'

interface RouteMatch {
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
  readonly methods: ReadonlySet<string> | undefined
  /** In lower case, without a final slash: `/api/profile`, or empty for the root. */
  readonly path: string
  /** The name of the parameter that takes whatever comes after the path. */
  readonly rest: string | undefined
}

/** @throws {HostError} `ROUTE_INVALID` or `FEATURE_UNSUPPORTED`, naming the function. */
export function createRouter(functions: readonly IndexedFunction<HttpFunction>[], prefix: string): Router {
  const routes = functions.map((entry) => compileRoute(entry, prefix))
  checkConflicts(routes)
  const active = routes.filter(({ entry }) => !entry.info.isDisabled)
  return (method, path) => {
    const single = withoutDoubleStart(path)
    const trimmed = single.endsWith('/') ? single.slice(0, -1) : single
    const lower = trimmed.toLowerCase()
    for (const route of active) {
      if (route.methods !== undefined && !route.methods.has(method)) continue
      if (lower === route.path) return { entry: route.entry, params: {} }
      if (route.rest !== undefined && lower.startsWith(`${route.path}/`)) {
        return { entry: route.entry, params: { [route.rest]: trimmed.slice(route.path.length + 1) } }
      }
    }
    return undefined
  }
}

/** Clients that join an address with its final slash and a path ask for `//path`. The real host answers 404 to those. */
function withoutDoubleStart(path: string): string {
  let start = 0
  while (path[start + 1] === '/') start++
  return start + 1 === path.length ? path : path.slice(start)
}

/** Fixed segments, and at the end `{*name}` for any others. Of ASP.NET's templates our routes need no more. */
function compileRoute(entry: IndexedFunction<HttpFunction>, prefix: string): CompiledRoute {
  const { name, route, methods } = entry.info
  const segments = `${prefix}/${route}`.split('/').filter((segment) => segment !== '')
  const rest = /^\{\*{1,2}(\w+)\}$/.exec(segments.at(-1) ?? '')?.[1]
  const fixed = rest === undefined ? segments : segments.slice(0, -1)
  const unsupported = fixed.find((segment) => /[{}?*]/.test(segment))
  if (unsupported !== undefined) {
    throw new HostError(
      'FEATURE_UNSUPPORTED',
      `The route "${route}" of function "${name}" has "${unsupported}", which the embedded host does not support: it knows fixed segments and a final {*name}.`,
    )
  }
  if ((route !== name && /^\/*(admin|runtime)/i.test(route)) || fixed[0]?.toLowerCase() === 'admin') {
    throw new HostError(
      'ROUTE_INVALID',
      `The route "${route}" of function "${name}" conflicts with the host's own: it must not begin with admin or runtime.`,
    )
  }
  return {
    entry,
    methods: methods === undefined ? undefined : new Set(methods),
    path: fixed.map((segment) => `/${segment.toLowerCase()}`).join(''),
    rest,
  }
}

function checkConflicts(routes: readonly CompiledRoute[]): void {
  for (const [index, a] of routes.entries()) {
    for (const b of routes.slice(index + 1)) {
      if (a.path !== b.path || (a.rest === undefined) !== (b.rest === undefined) || !shareMethod(a, b)) continue
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
