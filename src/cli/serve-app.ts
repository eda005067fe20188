import type { Service } from '../lib/service/service.ts'
import type { Log } from '../server/log.ts'
import type { RunningServer, ServerOptions } from '../server/server.ts'
import { StartError } from '../server/start-error.ts'
import { exitCodes, UsageError } from './exit.ts'
import { createServerLog, openSink } from './server-log.ts'
import { readServerOptions } from './server-options.ts'
import { onStopSignal } from './stop-signal.ts'

/**
 * Starts a server with the settings of the service, keeps it until SIGTERM or SIGINT, and prints the three lines of a start.
 *
 * @param print Takes the three lines.
 * @param grace Seconds that a stop may take. Default is 2.5.
 */
export async function serveApp(
  { cloud, settings, warnings, missingCredential }: Service,
  start: (options: ServerOptions) => Promise<RunningServer>,
  print: (text: string) => void,
  grace?: number,
): Promise<void> {
  const log = createServerLog(openSink(2, process.stderr), settings.logLevel)
  logProcessWarnings(log)
  const { stopWithin, ...periods } = divideGrace(grace)
  const server = await start({ ...readServerOptions(settings), ...periods, log }).catch(nameVariable)
  logCrash(log)
  // First, because the reader of the lines may send a signal at once.
  onStopSignal(() => server.close(), stopWithin)
  print(`Server running on ${server.url}\nCloud: ${cloud.profile.name}\nAuth Mode: ${settings.authMode}\n`)
  const [found, missing] = await Promise.all([warnings(), missingCredential()]).catch(() => {
    log({ level: 'error', category: 'server', message: 'A part of this build cannot be loaded' })
    return [[], undefined] as const
  })
  if (missing !== undefined) {
    log({ level: 'warning', category: 'server', message: `CREDENTIAL_SETTING_MISSING: ${missing}` })
  }
  for (const { code, message } of found) {
    // The failed token names the placeholders, with what to do about them.
    if (code !== 'PLACEHOLDER_FIELD') log({ level: 'warning', category: 'server', message: `${code}: ${message}` })
  }
  const { smokeTestSchedule, smokeTestScheduleFrom } = settings
  if (smokeTestScheduleFrom !== 'SMOKE_TEST_SCHEDULE') {
    const message = `Scheduled run: ${smokeTestSchedule}, with an offset derived from ${smokeTestScheduleFrom}`
    log({ level: 'info', category: 'server', message })
  }
}

/**
 * Divides the grace: half of a long one serves requests that still arrive, and one second remains to send the last responses and to
 * terminate the app.
 */
function divideGrace(
  grace: number | undefined,
): Pick<ServerOptions, 'drainPeriod' | 'gracePeriod'> & { stopWithin?: number } {
  if (grace === undefined) return {}
  const drainPeriod = Math.min(grace * 500, 10_000)
  return { drainPeriod, gracePeriod: grace * 1000 - drainPeriod - 1000, stopWithin: grace * 1000 }
}

/** The variable that corrects a start error, by the code of the error. The server knows no variables. */
const remedies: Readonly<Record<string, string>> = {
  PORT_IN_USE: 'PORT sets it.',
  PORT_INVALID: 'PORT sets it.',
  ADDRESS_UNAVAILABLE: 'PLATFORM_LISTEN_ADDRESS sets it.',
  KEY_REQUIRED: 'PLATFORM_HOST_KEY or PLATFORM_HOST_KEY_PATH sets it.',
  KEY_TOO_SHORT: 'PLATFORM_HOST_KEY or PLATFORM_HOST_KEY_PATH sets it.',
  TLS_INVALID: 'PLATFORM_TLS_CERTIFICATE_PATH and PLATFORM_TLS_KEY_PATH name the files.',
  SETTING_INVALID: 'WEBSITE_TIME_ZONE sets it.',
}

function nameVariable(error: unknown): never {
  const remedy = error instanceof StartError ? remedies[error.code] : undefined
  if (remedy === undefined) throw error
  throw new UsageError(`${(error as StartError).message} ${remedy}`)
}

/** A warning of Node, such as about a file of NODE_EXTRA_CA_CERTS, becomes a log line. */
function logProcessWarnings(log: Log): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => {
    log({ level: 'warning', category: 'process', message: `${name}: ${message}` })
  })
}

/** An uncaught error ends the process, as it ends a worker, with one line: Node would print all that it carries. */
function logCrash(log: Log): void {
  process.once('uncaughtException', ({ name, message, stack = '' }) => {
    const frames = stack.match(/^ +at .*$/gm)?.slice(0, 5) ?? []
    const where = frames.map((frame) => frame.trim()).join(' ')
    log({ level: 'error', category: 'process', message: `The process stops: ${name}: ${message} ${where}`.trim() })
    process.exit(exitCodes.fault)
  })
}
