import type { App, AppRequest, AppResponse, HttpFunction } from '../lib/base/app.ts'
import type { Timers } from './timers.ts'

const withStatus = (status: number): AppResponse => ({ status, headers: {} })

/** `/admin` and below belongs to the server: all but ping needs the key. */
export const isAdminPath = (path: string): boolean => /^\/admin(\/|$)/i.test(path)

/**
 * The server's own functions, as the Functions host has them: `/admin/host/ping`, open to all, says that this process is alive, and
 * `POST /admin/functions/{name}` runs a timer by hand. Like the host, it accepts the name of an HTTP function too.
 */
export function adminFunctions({ functions, timers: appTimers }: App, timers: Timers): readonly HttpFunction[] {
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
      // A page of another site can post here without the user knowing; it cannot send this content type, or hide its origin.
      if (!isSameSite(headers)) return withStatus(403)
      if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return withStatus(415)
      timers.run(name)
      return withStatus(202)
    },
  }))
  return [ping, ...runs]
}

function isSameSite({ origin, host = '', 'sec-fetch-site': site = 'none' }: AppRequest['headers']): boolean {
  if (origin !== undefined && URL.parse(origin)?.host !== URL.parse(`http://${host}`)?.host) return false
  return ['same-origin', 'none'].includes(site)
}
