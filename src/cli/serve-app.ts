import {
  applyLocalSettings,
  HostError,
  startFunctionsHost,
  type FunctionsHost,
  type HostLog,
  type HostOptions,
} from '../emulator/emulator.ts'
import { createService } from '../lib/service/service.ts'
import { exitCodes, UsageError } from './exit.ts'
import { guardStream } from './guarded-output.ts'
import { createHostLog, openSink } from './host-log.ts'
import { readHostOptions } from './host-options.ts'
import { onStopSignal } from './stop-signal.ts'

export interface ServeOptions {
  readonly appDirectory: string
  /** Takes the three lines of a start. */
  readonly print: (text: string) => void
}

/**
 * Serves the built bundle with the embedded host until SIGTERM or SIGINT, and prints the three lines of a start.
 * The settings are checked before the bundle is loaded, so that a mistake ends the start with its own message.
 */
export async function serveApp({ appDirectory, print }: ServeOptions): Promise<FunctionsHost> {
  const { httpPort } = applyLocalSettings(appDirectory, process.env)
  const { cloud, settings } = createService(process.env)
  const port = process.env['PORT']?.trim() ? settings.port : (httpPort ?? settings.port)
  // Whoever reads the log may go at any time.
  guardStream(process.stderr)
  const log = createHostLog(openSink(2, process.stderr), settings.logLevel)
  logProcessWarnings(log)
  const host = await startHost({
    appDirectory,
    port,
    ...readHostOptions(settings),
    log,
  })
  logCrash(log)
  // First, for whoever reads the lines may send a signal at once.
  onStopSignal(() => host.close())
  print(`Server running on ${host.url}\nCloud: ${cloud.profile.name}\nAuth Mode: ${settings.authMode}\n`)
  return host
}

/** The variable that helps, by the host's error; the host itself knows none of them. */
const remedies: Readonly<Record<string, string>> = {
  PORT_IN_USE: 'PORT sets it.',
  ADDRESS_UNAVAILABLE: 'PLATFORM_LISTEN_ADDRESS sets it.',
  KEY_REQUIRED: 'PLATFORM_HOST_KEY or PLATFORM_HOST_KEY_PATH sets it.',
  TLS_INVALID: 'PLATFORM_TLS_CERTIFICATE_PATH and PLATFORM_TLS_KEY_PATH name the files.',
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

/** What Node has to say, such as about a file of NODE_EXTRA_CA_CERTS, is a line as all others are. */
function logProcessWarnings(log: (line: HostLog) => void): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => {
    log({ level: 'warning', category: 'node', message: `${name}: ${message}` })
  })
}

/** An error that nobody caught ends the process, as it ends a worker, with one line: Node would print all that it carries. */
function logCrash(log: (line: HostLog) => void): void {
  process.once('uncaughtException', ({ name, message, stack = '' }) => {
    const frames = stack.match(/^ +at .*$/gm)?.slice(0, 5) ?? []
    const where = frames.map((frame) => frame.trim()).join(' ')
    log({ level: 'critical', category: 'node', message: `The process ends: ${name}: ${message} ${where}`.trim() })
    process.exit(exitCodes.fault)
  })
}
