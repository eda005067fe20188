import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import type { SecureContextOptions } from 'node:tls'

import { isLoopback } from '../lib/base/address.ts'
import type { App } from '../lib/base/app.ts'
import { openAccessKey, type KeyFile } from './access-keys.ts'
import { readCertificate, watchCertificate, type CertificateFiles } from './certificate.ts'
import { connectionLimit } from './connections.ts'
import { createHttpServer, sendEmpty } from './http-server.ts'
import { createInvocations } from './invocations.ts'
import { listen, type Listener } from './listen.ts'
import { createLog, type WriteLog } from './log.ts'
import { hostnameOfHeader } from './read-request.ts'
import { createRouter } from './routes.ts'
import { StartError } from './start-error.ts'
import { createTimers } from './timers.ts'

export interface ServerOptions {
  /** 0 for any free port. A text is the path of a Unix socket or named pipe, which others can reach: it needs a `key`. */
  readonly port: number | string
  /** Default is `127.0.0.1`, or `::1` on a machine without it. Any address that others can reach needs a `key`. */
  readonly hostname?: string | undefined
  /** Host names to accept on a loopback address besides `localhost` and the address. Default is none. */
  readonly otherNames?: readonly string[] | undefined
  /** Default is no log. */
  readonly log?: WriteLog | undefined
  /** `false` leaves schedules alone; POST /admin/functions/{name} still runs a timer. Default is true. */
  readonly runTimers?: boolean | undefined
  /** The time zone of schedules, such as `Europe/Paris`. Default is the machine's. */
  readonly timeZone?: string | undefined
  /** Opens functions whose authLevel is `function` or `admin`, and `/admin`. Without a key they are open, on a loopback address only. */
  readonly key?: string | KeyFile | undefined
  /** Serves https, with a certificate that is read again when its files change. Default is http. */
  readonly tls?: CertificateFiles | undefined
  /** Milliseconds for which `close` goes on accepting, so that load balancers notice that the app is no longer ready. Default is 0. */
  readonly drainPeriod?: number | undefined
  /** Milliseconds that `close` waits for invocations under way before it responds 503. It ends within a second more. Default is 1400. */
  readonly gracePeriod?: number | undefined
  /** Milliseconds after which an invocation is abandoned. Default is 230000, after which the front end of Azure Functions gives up. */
  readonly invocationTimeout?: number | undefined
}

export interface RunningServer extends Listener {
  /** Responds to what has come in, stops accepting. May be called more than once. */
  close(): Promise<void>
}

/**
 * Serves the functions of an app over HTTP and runs its timers.
 * It installs no process-wide handlers: an exception that nothing catches ends the process.
 *
 * @throws {StartError} When the app cannot be served with these options; nothing stays open then.
 */
export async function startServer(app: App, options: ServerOptions): Promise<RunningServer> {
  const { port, hostname = '127.0.0.1', runTimers = true, invocationTimeout = 230_000, tls } = options
  const log = createLog(options.log)
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
      throw new StartError('KEY_REQUIRED', `Listening on ${place} needs a key, because other ${others} can reach it.`)
    }
    const certificate = tls && (await readCertificate(tls))
    if (certificate !== undefined && certificate.validFrom > Date.now()) {
      const from = new Date(certificate.validFrom).toISOString()
      throw new StartError('TLS_INVALID', `The certificate in ${tls?.certificatePath} is not valid before ${from}.`)
    }
    const invocations = createInvocations(invocationTimeout, log)
    const timers = createTimers(app.timers, options.timeZone, invocations, log)
    const { hasKey, stopWatching } = await openAccessKey(key, isLocal, log)
    stops.push(stopWatching, () => timers.stop())
    let isClosing = false
    const parts = {
      findFunction: createRouter(app, timers),
      invocations,
      hasKey,
      isKnownHost: createHostCheck(isLocal, options.otherNames ?? [], log),
      log,
      isClosing: () => isClosing,
      tls: certificate?.options,
    }
    const { server, responses } = createHttpServer(parts, { limit: connectionLimit() })
    const listener = await listen(server, port, hostname, tls === undefined ? 'http' : 'https')
    if (runTimers) timers.start()
    if (tls !== undefined && certificate !== undefined) {
      const serve = (renewed: SecureContextOptions) => (server as SecureServer).setSecureContext(renewed)
      stops.push(watchCertificate(tls, certificate, serve, log))
    }
    const { drainPeriod = 0, gracePeriod = 1400 } = options
    const stop = async () => {
      stopAll()
      app.drain?.()
      await delay(drainPeriod)
      isClosing = true
      await delay(arrivalPeriod)
      await closeServer(
        server,
        () => responses.count() + invocations.count() === 0,
        gracePeriod,
        () => {
          const message = `Stopping with invocations under way: they did not finish within ${gracePeriod} ms.`
          log({ level: 'warning', category: 'server', message })
          responses.forEachUnanswered((response) => {
            response.shouldKeepAlive = false
            sendEmpty(response, 503)
          })
        },
      )
    }
    let stopped: Promise<void> | undefined
    return { ...listener, close: () => (stopped ??= stop()) }
  } catch (error) {
    stopAll()
    throw error
  }
}

/** Milliseconds in which requests on their way still arrive, and clients learn that their kept connections close. */
const arrivalPeriod = 200
/** Milliseconds for a response to leave. */
const departurePeriod = 200

/** Accepts nothing more, lets responses leave, and closes each connection. @param giveUp Called after the grace period. */
async function closeServer(
  server: Server,
  isIdle: () => boolean,
  gracePeriod: number,
  giveUp: () => void,
): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  if (!(await isTrueWithin(isIdle, gracePeriod))) {
    giveUp()
    await isTrueWithin(isIdle, departurePeriod)
  }
  // The last response may still be on its way.
  await delay(departurePeriod / 4)
  server.closeAllConnections()
  await closed
}

async function isTrueWithin(isTrue: () => boolean, ms: number): Promise<boolean> {
  const end = performance.now() + ms
  while (!isTrue()) {
    if (performance.now() >= end) return false
    await delay(5)
  }
  return true
}

/**
 * Checks the form of a Host header, and on a loopback address its name: a web page whose own name resolves to 127.0.0.1 sends that name,
 * and must get nothing (DNS rebinding).
 */
function createHostCheck(isLocal: boolean, otherNames: readonly string[], log: WriteLog): (host: string) => boolean {
  let hasWarned = false
  return (host) => {
    const name = hostnameOfHeader(host)
    if (name === undefined) return false
    if (!isLocal || isLoopback(name) || otherNames.includes(name)) return true
    const message = `Refused a request for "${name}": on a loopback address the server accepts localhost, 127.0.0.1 and [::1] only.`
    if (!hasWarned) log({ level: 'warning', category: 'server', message })
    hasWarned = true
    return false
  }
}
