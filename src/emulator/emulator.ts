import { readVariable } from '../lib/base/env.ts'
import { realpathSync } from 'node:fs'

import type { App } from '../lib/base/app.ts'
import { createLog } from '../server/log.ts'
import type { RunningServer, ServerOptions } from '../server/server.ts'
import { startServer } from '../server/server.ts'
import { StartError } from '../server/start-error.ts'
import { findEntryPoint, readRoutePrefix } from './app-files.ts'
import { readFunctions } from './read-functions.ts'
import { startWorker } from './worker.ts'

// This folder runs a built app as the Azure Functions host and its Node worker do. It serves the app with src/server.

export interface EmulatorOptions extends Omit<ServerOptions, 'timeZone'> {
  /** The folder with package.json and host.json. */
  readonly appDirectory: string
  /** Sets the time zone of schedules (WEBSITE_TIME_ZONE) and disables functions. Default is `process.env`. */
  readonly env?: NodeJS.ProcessEnv | undefined
}

/**
 * Serves a Node app of the v4 programming model. It supports the features that our bundle uses, and refuses every other feature by name.
 *
 * @throws {StartError} if the app or its settings can't be served. Nothing stays open then.
 */
export async function startEmulator({
  env = process.env,
  ...options
}: EmulatorOptions): Promise<RunningServer & { readonly app: App }> {
  const appDirectory = findDirectory(options.appDirectory)
  const routePrefix = readRoutePrefix(appDirectory)
  const worker = await startWorker(findEntryPoint(appDirectory), createLog(options.log))
  const app = readFunctions(worker, routePrefix, env)
  const server = await startServer(app, { ...options, timeZone: readVariable(env, 'WEBSITE_TIME_ZONE') })
  return { ...server, app }
}

function findDirectory(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    throw new StartError('PACKAGE_JSON_INVALID', `${path} is not the folder of an app.`, { cause: error })
  }
}
