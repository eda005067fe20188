import {
  applyLocalSettings,
  HostError,
  startFunctionsHost,
  type FunctionsHost,
  type HostLog,
  type HostOptions,
} from '../host/functions-host.ts'
import { createService } from '../lib/service/service.ts'
import type { LogLevel } from '../lib/settings/settings.ts'
import { UsageError } from './exit.ts'
import { onStopSignal } from './stop-signal.ts'

export interface ServeOptions {
  readonly appDirectory: string
}

/**
 * Serves the built bundle with the embedded host until SIGTERM or SIGINT, and prints the three lines of a start.
 * The settings are checked before the bundle is loaded, so that a mistake ends the start with its own message.
 */
export async function serveApp({ appDirectory }: ServeOptions): Promise<FunctionsHost> {
  const { httpPort } = applyLocalSettings(appDirectory, process.env)
  const { cloud, settings } = createService(process.env)
  const port = process.env['PORT']?.trim() ? settings.port : (httpPort ?? settings.port)
  const hostname = process.env['PLATFORM_LISTEN_ADDRESS']?.trim()
  const key = process.env['PLATFORM_HOST_KEY']?.trim()
  const host = await startHost({
    appDirectory,
    port,
    ...(hostname ? { hostname } : {}),
    ...(key ? { key } : {}),
    log: logAbove(settings.logLevel),
  })
  // First, for whoever reads the lines may send a signal at once.
  onStopSignal(() => host.close())
  process.stdout.write(`Server running on ${host.url}\nCloud: ${cloud.profile.name}\nAuth Mode: ${settings.authMode}\n`)
  return host
}

/** The variable that helps, by the host's error; the host itself knows none of them. */
const remedies: Readonly<Record<string, string>> = {
  PORT_IN_USE: 'PORT sets it.',
  ADDRESS_UNAVAILABLE: 'PLATFORM_LISTEN_ADDRESS sets it.',
  KEY_REQUIRED: 'PLATFORM_HOST_KEY sets it.',
}

async function startHost(options: HostOptions): Promise<FunctionsHost> {
  try {
    return await startFunctionsHost(options)
  } catch (error) {
    const remedy = error instanceof HostError ? remedies[error.code] : undefined
    if (remedy === undefined) throw error
    throw new UsageError(`${(error as HostError).message} ${remedy}`)
  }
}

const ranks = { trace: 0, debug: 0, information: 1, warning: 2, error: 3, critical: 3, none: 4 } as const
const thresholds = { verbose: 0, info: 1, warning: 2, error: 3 } as const

/** Everything but the three lines goes to stderr: what our functions say as it is (one JSON object a line), the rest named. */
function logAbove(logLevel: LogLevel) {
  return ({ level, category, message }: HostLog): void => {
    if (ranks[level] < thresholds[logLevel]) return
    process.stderr.write(category === 'user' ? `${message}\n` : `${level}: ${message}\n`)
  }
}
