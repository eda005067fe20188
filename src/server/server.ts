import { once } from 'node:events'
import type { Server as SecureServer } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import type { SecureContextOptions } from 'node:tls'

import { isLoopback } from '../lib/base/address.ts'
import type { App } from '../lib/base/app.ts'
import { openAccessKey, type KeyFile } from './access-keys.ts'
import { readCertificate, watchCertificate, type CertificateFiles } from './certificate.ts'
import { connectionLimit } from './connections.ts'
import { createHttpServer, send } from './http-server.ts'
import { createInvocations } from './invocations.ts'
import { listen, type Listener } from './listen.ts'
import type { WriteLog } from './log.ts'
import { hostnameOfHeader } from './read-request.ts'
import { createRouter, withStatus } from './routes.ts'
import { StartError } from './start-error.ts'
import { createTimer } from './timers.ts'

// This folder is the HTTP server of containers and plain machines. It runs any app of src/lib/base/app.ts, and imports only src/lib/base.

export interface ServerOptions {
  /** 0 for any free port. A string is the path of a Unix socket or named pipe. Other users can reach it, so it needs a `key`. */
  readonly port: number | string
  /** Default is `127.0.0.1`, or `::1` if the machine has no `127.0.0.1`. An address that is not loopback needs a `key`. */
  readonly hostname?: string | undefined
  /** By default, nothing is logged. */
  readonly log?: WriteLog | undefined
  /** `false` starts no schedule. POST /admin/functions/{name} still runs a timer. Default is true. */
  readonly runTimers?: boolean | undefined
  /** The time zone of schedules, such as `Europe/Paris`. Default is the machine's. */
  readonly timeZone?: string | undefined
  /** Required for `/admin` and for functions with the authLevel `function` or `admin`. On loopback, a server without a key is open. */
  readonly key?: string | KeyFile | undefined
  /** The certificate to serve https with. It is read again when its files change. Default is http. */
  readonly tls?: CertificateFiles | undefined
  /** Milliseconds for which `close` still accepts requests, so that load balancers notice that the app isn't ready. Default is 0. */
  readonly drainPeriod?: number | undefined
  /** Milliseconds that `close` waits for running invocations before it responds with 503. It takes at most a second more. Default is 1400. */
  readonly gracePeriod?: number | undefined
}

export interface RunningServer extends Listener {
  /** Stops accepting requests and responds to those that have arrived. May be called more than once. */
  close(): Promise<void>
}

/**
 * Serves the functions of an app over HTTP and runs its timers. It installs no process-wide handlers, so an uncaught exception ends the
 * process.
 *
 * @throws {StartError} if the app can't be served with these options. Nothing stays open then.
 */
export async function startServer(app: App, options: ServerOptions): Promise<RunningServer> {
  const { port, hostname = '127.0.0.1', runTimers = true, tls, log = () => undefined } = options
  const stops: (() => void)[] = []
  const stopAll = () => {
    for (const stop of stops) stop()
  }
  try {
    const isPath = typeof port === 'string'
    const isLocal = !isPath && isLoopback(hostname)
    const key = options.key === '' ? undefined : options.key
    if (!isLocal && key === undefined) {
      const [place, others] = isPath ? [port, 'users'] : [hostname, 'machines']
      throw new StartError(
        'KEY_REQUIRED',
        `The server needs a key to listen on ${place}, because other ${others} can reach it.`,
      )
    }
    const certificate = tls && (await readCertificate(tls))
    const invocations = createInvocations(invocationTimeout, log)
    const timers = app.timers.map((each) => createTimer(each, options.timeZone, invocations, log))
    const { hasKey, stopWatching } = await openAccessKey(key, isLocal, log)
    stops.push(stopWatching, ...timers.map(({ stop }) => stop))
    let isClosing = false
    const parts = {
      findFunction: createRouter(app.functions, timers),
      invocations,
      hasKey,
      isKnownHost: createHostCheck(isLocal, log),
      log,
      isClosing: () => isClosing,
      tls: certificate?.options,
    }
    const { server, responses } = createHttpServer(parts, { limit: connectionLimit() })
    const listener = await listen(server, port, hostname, tls === undefined ? 'http' : 'https')
    if (runTimers) for (const { start } of timers) start()
    if (tls !== undefined && certificate !== undefined) {
      const serve = (renewed: SecureContextOptions) => (server as SecureServer).setSecureContext(renewed)
      stops.push(watchCertificate(tls, certificate, serve, log))
    }
    const { drainPeriod = 0, gracePeriod = 1400 } = options
    const isIdleWithin = async (ms: number): Promise<boolean> => {
      const end = performance.now() + ms
      while (responses.count() + invocations.count() > 0) {
        if (performance.now() >= end) return false
        await delay(5)
      }
      return true
    }
    const stop = async () => {
      stopAll()
      app.drain?.()
      await delay(drainPeriod)
      isClosing = true
      await delay(arrivalPeriod)
      const closed = once(server, 'close')
      server.close()
      if (!(await isIdleWithin(gracePeriod))) {
        const message = `The server stops with running invocations, which did not finish within ${gracePeriod} ms.`
        log({ level: 'warning', category: 'server', message })
        responses.forEachUnanswered((response) => {
          response.shouldKeepAlive = false
          send(response, withStatus(503))
        })
        await isIdleWithin(departurePeriod)
      }
      // The system may still be sending the last response.
      await delay(departurePeriod / 4)
      server.closeAllConnections()
      await closed
    }
    let stopped: Promise<void> | undefined
    return { ...listener, close: () => (stopped ??= stop()) }
  } catch (error) {
    stopAll()
    throw error
  }
}

/** Milliseconds after which an invocation is abandoned: the timeout of the front end of Azure Functions. */
const invocationTimeout = 230_000
/** Milliseconds in which requests that were already sent arrive, and clients learn that their connection will close. */
const arrivalPeriod = 200
/** Milliseconds in which the last response is sent. */
const departurePeriod = 200

/**
 * Checks the form of a Host header. On a loopback address it also checks the name, against DNS rebinding: a web page can make its own name
 * resolve to 127.0.0.1, and then requests this server under that name.
 */
function createHostCheck(isLocal: boolean, log: WriteLog): (host: string) => boolean {
  let hasWarned = false
  return (host) => {
    const name = hostnameOfHeader(host)
    if (name === undefined) return false
    if (!isLocal || isLoopback(name)) return true
    const message = `A request for the host "${name}" was refused: on a loopback address the server accepts only localhost, 127.0.0.1 and [::1].`
    if (!hasWarned) log({ level: 'warning', category: 'server', message })
    hasWarned = true
    return false
  }
}
