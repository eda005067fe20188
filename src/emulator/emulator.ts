import { realpathSync } from 'node:fs'
import type { Server as SecureServer } from 'node:https'

import { createKeyCheck } from '../server/http/access-keys.ts'
import { createActivity } from '../server/activity.ts'
import { createAdmin } from '../server/http/admin.ts'
import { startApp } from './app-start.ts'
import { createDispatcher } from './dispatcher.ts'
import { HostError } from '../server/errors.ts'
import { isHttp, isTimer } from './function-index.ts'
import type { RegisteredFunction } from './registered-function.ts'
import { readHostJson } from './host-json.ts'
import { createLog } from '../server/host-log.ts'
import type { HostLog, Log } from '../server/host-log.ts'
import { readCertificate, watchCertificate } from '../server/http/certificate.ts'
import type { CertificateFiles } from '../server/http/certificate.ts'
import { connectionLimit, trackConnections } from '../server/http/connections.ts'
import { createHttpServer } from '../server/http/http-server.ts'
import { checkPort, listen } from '../server/http/listen.ts'
import { applyLocalSettings } from './local-settings.ts'
import { isLoopback } from '../lib/base/address.ts'
import { baseUrl } from '../server/http/loopback.ts'
import { createHostCheck } from '../server/http/request-target.ts'
import { createRouter } from '../server/http/router.ts'
import { createShutdown, terminate } from '../server/shutdown.ts'
import { createTimers } from '../server/timer/timers.ts'

export { HostError } from '../server/errors.ts'
export type { HostErrorCode } from '../server/errors.ts'
export type { AuthLevel, HttpFunction, RegisteredFunction, TimerFunction } from './registered-function.ts'
export type { HostLog, LogLevel } from '../server/host-log.ts'
export { applyLocalSettings } from './local-settings.ts'
export type { LocalSettings } from './local-settings.ts'

export interface HostOptions {
  /** Where package.json, host.json and local.settings.json are. */
  readonly appDirectory: string
  /** 0 for any free port. Default is `Host.LocalHttpPort` of local.settings.json, else 3000. */
  readonly port?: number | undefined
  /** Default is `127.0.0.1`. Any address but this machine's own needs a `key`. */
  readonly hostname?: string | undefined
  /** Receives local.settings.json, and says which functions are disabled. Default is `process.env`. */
  readonly env?: NodeJS.ProcessEnv | undefined
  /** Default is no log. */
  readonly log?: ((line: HostLog) => void) | undefined
  /** `false` leaves schedules alone; POST /admin/functions/{name} still runs a timer. Default is true. */
  readonly runTimers?: boolean | undefined
  /**
   * The key of functions whose authLevel is `function` or `admin`, and of `/admin`. Without one, which is possible on a
   * loopback address only, none is asked for, as under `func start`.
   */
  readonly key?: string | undefined
  /** Serves https, with a certificate that is read anew when its files change. Default is http. */
  readonly tls?: CertificateFiles | undefined
  /** Milliseconds that `close` waits for what is under way, before it answers 503. It ends within a second more. Default is 1400. */
  readonly gracePeriod?: number | undefined
  /** Milliseconds after which an invocation is abandoned. Default is 230000, after which the real host's front end gives up. */
  readonly invocationTimeout?: number | undefined
}

export interface FunctionsHost {
  /** `http://localhost:<port>`, or with `https` and the address that the host is bound to. */
  readonly url: string
  readonly port: number
  /** In the order of their names. */
  readonly functions: readonly RegisteredFunction[]
  /** Answers what has come in, stops accepting, runs the appTerminate hooks. May be called more than once. */
  close(): Promise<void>
}

/**
 * Serves a Node app of the v4 programming model, loaded and invoked as the Azure Functions host and its Node worker do.
 * It installs no process-wide handlers: an exception that nothing catches ends the process, as it ends a worker.
 *
 * @throws {HostError} When the app or its settings cannot be served; nothing stays open then.
 */
export async function startFunctionsHost(options: HostOptions): Promise<FunctionsHost> {
  const {
    hostname = '127.0.0.1',
    env = process.env,
    runTimers = true,
    gracePeriod = 1400,
    invocationTimeout = 230_000,
  } = options
  const log = createLog(options.log)
  const isLocal = isLoopback(hostname)
  const appDirectory = findDirectory(options.appDirectory)
  const settings = applyLocalSettings(appDirectory, env)
  const port = options.port ?? settings.httpPort ?? 3000
  checkPort(port)
  const key = options.key === '' ? undefined : options.key
  if (!isLocal && key === undefined) {
    throw new HostError('KEY_REQUIRED', `Listening on ${hostname} needs a key: others than this machine can reach it.`)
  }
  const configuration = readHostJson(appDirectory)
  const certificate = options.tls === undefined ? undefined : await readCertificate(options.tls)

  const app = await startApp(appDirectory, env, log)
  let isClosing = false
  try {
    const activity = createActivity()
    const dispatcher = createDispatcher(app.worker, invocationTimeout, activity)
    const timers = createTimers(app.functions.filter(isTimer), env, dispatcher, log)
    const hasKey = createKeyCheck(key)
    const server = createHttpServer({
      findRoute: createRouter(app.functions.filter(isHttp), configuration.routePrefix),
      dispatcher,
      hasKey,
      isKnownHost: createHostCheck(isLocal ? createLocalNameCheck(log) : () => true),
      handleAdmin: createAdmin(app.functions, timers, hasKey),
      log,
      isClosing: () => isClosing,
      tls: certificate?.options,
    })
    const connections = trackConnections(server, activity, connectionLimit(), certificate !== undefined)
    const boundPort = await listen(server, port, hostname)
    if (runTimers) timers.start()
    const stopWatching =
      options.tls === undefined || certificate === undefined
        ? () => undefined
        : watchCertificate(
            options.tls,
            certificate,
            (renewed) => (server as SecureServer).setSecureContext(renewed),
            log,
          )
    const shutdown = createShutdown({
      server,
      connections,
      timers,
      activity,
      app,
      gracePeriod,
      log,
      onListenerClosed: () => (isClosing = true),
    })
    return {
      url: baseUrl(certificate === undefined ? 'http' : 'https', hostname, boundPort),
      port: boundPort,
      functions: app.functions.map(({ info }) => info),
      close() {
        stopWatching()
        return shutdown()
      },
    }
  } catch (error) {
    await terminate({ app, log })
    throw error
  }
}

/** A web page whose own name has been pointed at 127.0.0.1 sends that name, and must not be answered. */
function createLocalNameCheck(log: Log): (name: string) => boolean {
  let hasWarned = false
  return (name) => {
    if (isLoopback(name)) return true
    const message = `Refused a request for "${name}": on a loopback address the host answers to localhost and 127.0.0.1 only.`
    if (!hasWarned) log({ level: 'warning', category: 'host', message })
    hasWarned = true
    return false
  }
}

function findDirectory(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    throw new HostError('PACKAGE_JSON_INVALID', `${path} is not a directory with an app in it.`, { cause: error })
  }
}
