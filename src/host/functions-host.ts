import { realpathSync } from 'node:fs'

import { createKeyCheck } from './http/access-keys.ts'
import { createActivity } from './activity.ts'
import { createAdmin } from './http/admin.ts'
import { startApp } from './app/app-start.ts'
import { createDispatcher } from './app/dispatcher.ts'
import { HostError } from './errors.ts'
import { isHttp, isTimer } from './app/function-index.ts'
import type { RegisteredFunction } from './app/registered-function.ts'
import { readHostJson } from './config/host-json.ts'
import { createLog } from './host-log.ts'
import type { HostLog, Log } from './host-log.ts'
import { createHttpServer } from './http/http-server.ts'
import { checkPort, listen } from './http/listen.ts'
import { applyLocalSettings } from './config/local-settings.ts'
import { baseUrl, isLoopback } from './http/loopback.ts'
import { createHostCheck } from './http/request-target.ts'
import { createRouter } from './http/router.ts'
import { createShutdown, terminate } from './shutdown.ts'
import { createTimers } from './timer/timers.ts'

export { HostError } from './errors.ts'
export type { HostErrorCode } from './errors.ts'
export type { AuthLevel, HttpFunction, RegisteredFunction, TimerFunction } from './app/registered-function.ts'
export type { HostLog, LogLevel } from './host-log.ts'
export { applyLocalSettings } from './config/local-settings.ts'
export type { LocalSettings } from './config/local-settings.ts'

export interface HostOptions {
  /** Where package.json, host.json and local.settings.json are. */
  readonly appDirectory: string
  /** 0 for any free port. Default is `Host.LocalHttpPort` of local.settings.json, else 3000. */
  readonly port?: number | undefined
  /** Default is `127.0.0.1`. Any address but this machine's own needs a `key`. */
  readonly hostname?: string | undefined
  /** Receives local.settings.json, and is where `%NAME%` of a schedule is looked up. Default is `process.env`. */
  readonly env?: NodeJS.ProcessEnv | undefined
  /** Default is no log. */
  readonly log?: ((line: HostLog) => void) | undefined
  /** `false` leaves schedules alone; POST /admin/functions/{name} still runs a timer. Default is true. */
  readonly runTimers?: boolean | undefined
  /** The key of functions whose authLevel is `function` or `admin`, and of `/admin`. Not enforced on a loopback address. */
  readonly key?: string | undefined
  /** Milliseconds that `close` waits for what is under way, and then again for appTerminate hooks. Default is 5000. */
  readonly gracePeriod?: number | undefined
}

export interface FunctionsHost {
  /** `http://localhost:<port>`, or with the address that the host is bound to. */
  readonly url: string
  readonly port: number
  /** In the order of their names. */
  readonly functions: readonly RegisteredFunction[]
  /** Stops accepting, lets invocations finish, runs the appTerminate hooks. May be called more than once. */
  close(): Promise<void>
}

/**
 * Serves a Node app of the v4 programming model, loaded and invoked as the Azure Functions host and its Node worker do.
 * It installs no process-wide handlers: an exception that nothing catches ends the process, as it ends a worker.
 *
 * @throws {HostError} When the app or its settings cannot be served; nothing stays open then.
 */
export async function startFunctionsHost(options: HostOptions): Promise<FunctionsHost> {
  const { hostname = '127.0.0.1', env = process.env, runTimers = true, gracePeriod = 5000 } = options
  const log = createLog(options.log)
  const isLocal = isLoopback(hostname)
  const appDirectory = findDirectory(options.appDirectory)
  const settings = applyLocalSettings(appDirectory, env)
  const port = options.port ?? settings.httpPort ?? 3000
  checkPort(port)
  if (!isLocal && (options.key ?? '') === '') {
    throw new HostError('KEY_REQUIRED', `Listening on ${hostname} needs a key: others than this machine can reach it.`)
  }
  const configuration = readHostJson(appDirectory)
  for (const message of configuration.warnings) log({ level: 'warning', category: 'host', message })

  const app = await startApp(appDirectory, env, log)
  let isClosing = false
  try {
    const activity = createActivity()
    const dispatcher = createDispatcher(app.worker, configuration.functionTimeout, activity)
    const timers = createTimers(app.functions.filter(isTimer), env, dispatcher, log)
    const hasKey = createKeyCheck(isLocal ? undefined : options.key)
    const server = createHttpServer({
      findRoute: createRouter(app.functions.filter(isHttp), configuration.routePrefix),
      dispatcher,
      activity,
      hasKey,
      isKnownHost: createHostCheck(isLocal ? createLocalNameCheck(log) : () => true),
      handleAdmin: createAdmin(app.functions, timers, hasKey),
      log,
      isClosing: () => isClosing,
    })
    const boundPort = await listen(server, port, hostname)
    if (runTimers) timers.start()
    const shutdown = createShutdown({ server, timers, activity, app, gracePeriod, log })
    return {
      url: baseUrl(hostname, boundPort),
      port: boundPort,
      functions: app.functions.map(({ info }) => info),
      close() {
        isClosing = true
        return shutdown()
      },
    }
  } catch (error) {
    await terminate({ app, gracePeriod, log })
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
