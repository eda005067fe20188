import type { App, AppRequest, AppResponse, HttpFunction } from '../lib/base/app.ts'
import { StartError } from './start-error.ts'
import type { Timers } from './timers.ts'

/** Finds the function for a method (in upper case) and a decoded path. Case and a final slash do not matter. */
export type Router = (method: string, path: string) => HttpFunction | undefined

/**
 * Routes to the functions of an app, and to the server's own.
 *
 * @throws {StartError} `ROUTE_INVALID` for two functions with one route.
 */
export function createRouter(app: App, timers: Timers): Router {
  const byPath = new Map<string, HttpFunction[]>()
  for (const each of [...app.functions, ...adminFunctions(app, timers)]) {
    const path = normalize(`/${each.path}`)
    const others = byPath.get(path) ?? []
    const other = others.find((candidate) => shareMethod(candidate, each))
    if (other !== undefined) {
      const message = `The route "${each.path}" of function "${each.name}" is also the route of function "${other.name}".`
      throw new StartError('ROUTE_INVALID', message)
    }
    byPath.set(path, [...others, each])
  }
  return (method, path) => byPath.get(normalize(path))?.find(({ methods }) => methods?.includes(method) ?? true)
}

/** A client that joins an address ending in `/` with a path requests `//path`. The Functions host responds with 404 to it. */
function normalize(path: string): string {
  const single = path.replace(/^\/+(?=\/[^/])/, '')
  return (single.endsWith('/') ? single.slice(0, -1) : single).toLowerCase()
}

function shareMethod(one: HttpFunction, { methods }: HttpFunction): boolean {
  return one.methods === undefined || methods === undefined || one.methods.some((method) => methods.includes(method))
}

/** `/admin` and below belongs to the server: all but ping needs the key. */
export const isAdminPath = (path: string): boolean => /^\/admin(\/|$)/i.test(path)

const withStatus = (status: number): AppResponse => ({ status, headers: {} })

/**
 * The server's own functions, as the Functions host has them: `/admin/host/ping`, open to all, says that this process is alive, and
 * `POST /admin/functions/{name}` runs a timer by hand. Like the host, it accepts the name of an HTTP function too.
 */
function adminFunctions({ functions, timers: appTimers }: App, timers: Timers): readonly HttpFunction[] {
  const ping: HttpFunction = {
    name: 'host.ping',
    path: 'admin/host/ping',
    methods: ['GET', 'HEAD'],
    authLevel: 'anonymous',
    handle: async () => withStatus(200),
  }
  const runs = [...functions, ...appTimers].map(({ name }): HttpFunction => ({
    name: `run.${name}`,
    path: `admin/functions/${name}`,
    methods: ['POST'],
    authLevel: 'admin',
    async handle({ headers }) {
      // A page of another site can post here without the user's knowledge, but can't send this content type or hide its origin.
      if (!isSameOrigin(headers)) return withStatus(403)
      if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return withStatus(415)
      timers.run(name)
      return withStatus(202)
    },
  }))
  return [ping, ...runs]
}

/** Whether a request comes from a page of this server, or from no page at all. Another port or subdomain of this site is another server. */
export function isSameOrigin({ origin, host = '', 'sec-fetch-site': site = 'none' }: AppRequest['headers']): boolean {
  if (origin !== undefined && URL.parse(origin)?.host !== URL.parse(`http://${host}`)?.host) return false
  return ['same-origin', 'none'].includes(site)
}
