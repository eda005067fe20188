import { realpathSync } from 'node:fs'

import type { App } from '../lib/base/app.ts'
import { createLog } from '../server/log.ts'
import type { RunningServer, ServerOptions } from '../server/server.ts'
import { startServer } from '../server/server.ts'
import { StartError } from '../server/start-error.ts'
import { startApp, type StartedApp } from './app-start.ts'
import { readHostJson } from './host-json.ts'
import type { RegisteredFunction } from './registered-function.ts'
import { toApp } from './to-app.ts'

export interface EmulatorOptions extends Omit<ServerOptions, 'timeZone'> {
  /** Where package.json and host.json are. */
  readonly appDirectory: string
  /** Gives the time zone of schedules, and which functions are disabled. Default is `process.env`. */
  readonly env?: NodeJS.ProcessEnv | undefined
}

export interface RunningEmulator extends RunningServer {
  /** In the order of their names. */
  readonly functions: readonly RegisteredFunction[]
}

/**
 * Serves a Node app of the v4 programming model, loaded and invoked as the Azure Functions host and its Node worker do.
 *
 * @throws {StartError} When the app or its settings cannot be served; nothing stays open then.
 */
export async function startEmulator({ env = process.env, ...options }: EmulatorOptions): Promise<RunningEmulator> {
  const appDirectory = findDirectory(options.appDirectory)
  const { routePrefix } = readHostJson(appDirectory)
  const started = await startApp(appDirectory, env, createLog(options.log))
  const app = await appOf(started, routePrefix)
  const server = await startServer(app, { ...options, timeZone: env['WEBSITE_TIME_ZONE'] })
  return { ...server, functions: started.functions.map(({ info }) => info) }
}

async function appOf(started: StartedApp, routePrefix: string): Promise<App> {
  try {
    return toApp(started, routePrefix)
  } catch (error) {
    await started.terminate()
    throw error
  }
}

function findDirectory(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    throw new StartError('PACKAGE_JSON_INVALID', `${path} is not a directory with an app in it.`, { cause: error })
  }
}
