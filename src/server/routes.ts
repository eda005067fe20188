import type { AppRequest, AppResponse, HttpFunction } from '../lib/base/app.ts'
import type { Timer } from './timers.ts'

/** Finds the function for a method (in upper case) and a decoded path. The path's letter case and final slash don't matter. */
export type Router = (method: string, path: string) => HttpFunction | undefined

/** Routes requests to the functions of an app and of the server itself. */
export function createRouter(functions: readonly HttpFunction[], timers: readonly Timer[]): Router {
  const byPath = Map.groupBy([...functions, ...adminFunctions(timers)], ({ path }) => normalize(`/${path}`))
  return (method, path) => byPath.get(normalize(path))?.find(({ methods }) => methods.some((each) => each === method))
}

/** A client that joins `https://host/` and `/path` requests `//path`. The Functions host returns 404 for it; this server accepts it. */
function normalize(path: string): string {
  const single = path.replace(/^\/+(?=\/[^/])/, '')
  return (single.endsWith('/') ? single.slice(0, -1) : single).toLowerCase()
}

/** Paths of the server itself. Every one except ping needs the key, even if it doesn't exist. */
export const isAdminPath = (path: string): boolean => /^\/admin(\/|$)/i.test(path)

export const withStatus = (status: number): AppResponse => ({ status, headers: {} })

/**
 * The same admin functions as in the Functions host. `/admin/host/ping`, which needs no key, shows that the process is alive.
 * `POST /admin/functions/{name}` runs a timer.
 */
function adminFunctions(timers: readonly Timer[]): readonly HttpFunction[] {
  const ping: HttpFunction = {
    name: 'host.ping',
    path: 'admin/host/ping',
    methods: ['GET', 'HEAD'],
    authLevel: 'anonymous',
    handle: async () => withStatus(200),
  }
  const runs = timers.map(({ name, run }): HttpFunction => ({
    name: `run.${name}`,
    path: `admin/functions/${name}`,
    methods: ['POST'],
    authLevel: 'admin',
    async handle({ headers }) {
      // A page of another site can make a browser post here. It can neither set this content type nor hide its origin.
      if (!isSameOrigin(headers)) return withStatus(403)
      if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return withStatus(415)
      run()
      return withStatus(202)
    },
  }))
  return [ping, ...runs]
}

/** Whether a request comes from a page of this server or from no page. Another port or subdomain of the site is another server. */
export function isSameOrigin({ origin, host = '', 'sec-fetch-site': site = 'none' }: AppRequest['headers']): boolean {
  if (origin !== undefined && URL.parse(origin)?.host !== URL.parse(`http://${host}`)?.host) return false
  return ['same-origin', 'none'].includes(site)
}
