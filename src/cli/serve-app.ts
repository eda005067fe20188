import { readRegularFile, isWideText, wideTextProblem } from '../lib/base/files.ts'
import { publicDiscoveryHosts } from '../lib/clouds/known-clouds.ts'
import { describeWarning, refuseReferences } from '../lib/errors.ts'
import type { Service } from '../lib/service/service.ts'
import type { Settings } from '../lib/settings/settings.ts'
import type { WriteLog, LogLine } from '../server/log.ts'
import type { RunningServer, ServerOptions } from '../server/server.ts'
import { StartError } from '../server/start-error.ts'
import { exitCodes, UsageError } from './command.ts'
import { onStopSignal } from './processes.ts'
import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { isObject, parseJson } from '../lib/base/json.ts'
import { escapeHidden } from '../lib/base/printable.ts'
import { VERSION } from '../lib/settings/version.ts'
import type { LogLevel } from '../lib/base/app.ts'
import { isReplaced } from './run-process.ts'

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
  for (const warning of found) {
    const message = `${warning.code}: ${describeWarning(warning)}`
    // The failed token names the placeholders, with what to do about them.
    if (warning.code !== 'PLACEHOLDER_FIELD') log({ level: 'warning', category: 'server', message })
  }
  const { smokeTestSchedule, smokeTestScheduleFrom } = settings
  if (smokeTestScheduleFrom !== 'SMOKE_TEST_SCHEDULE') {
    const message = `Scheduled run: ${smokeTestSchedule}, with an offset derived from ${smokeTestScheduleFrom}`
    log({ level: 'verbose', category: 'server', message })
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
function logProcessWarnings(log: WriteLog): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => {
    log({ level: 'warning', category: 'process', message: `${name}: ${message}` })
  })
}

/** An uncaught error ends the process, as in a worker, with one line. Node would print every property of the error. */
function logCrash(log: WriteLog): void {
  process.once('uncaughtException', ({ name, message, stack = '' }) => {
    const frames = stack.match(/^ +at .*$/gm)?.slice(0, 5) ?? []
    const where = frames.map((frame) => frame.trim()).join(' ')
    log({ level: 'error', category: 'process', message: `The process stops: ${name}: ${message} ${where}`.trim() })
    process.exit(exitCodes.fault)
  })
}

/** A key of some hundred bytes, and what a tool appends to it. */
const maxKeyBytes = 4096

/**
 * The options of the listener: port, address, key, certificate and names.
 *
 * @throws {UsageError} that names the variable: a file without a key, or one TLS file without the other.
 */
export function readServerOptions(
  settings: Settings,
): Pick<ServerOptions, 'port' | 'hostname' | 'key' | 'tls' | 'otherNames'> {
  const { hostKey, hostKeyPath: path } = settings
  return {
    port: settings.port,
    hostname: settings.listenAddress,
    key: path === undefined ? hostKey?.reveal() : { path, read: () => readKeyFile(path) },
    tls: readTls(settings),
    // Clients ask for instance discovery under these names.
    otherNames: settings.serveMetadata ? publicDiscoveryHosts : [],
  }
}

function readKeyFile(path: string): string {
  const key = readSmallFile(path, 'PLATFORM_HOST_KEY_PATH', maxKeyBytes).trim()
  refuseReferences({ 'The value in the file of PLATFORM_HOST_KEY_PATH': key }, { areSecrets: true })
  // A decoder writes U+FFFD for bytes that aren't UTF-8. No client can send it, or a control character.
  if (/^[^\s\p{C}\uFFFD]+$/u.test(key)) return key
  throw new UsageError(
    `PLATFORM_HOST_KEY_PATH names ${path}, which must contain one key as text and nothing else. Write it with: openssl rand -hex 32 > ${path}`,
  )
}

/** @throws {UsageError} that names the variable, unless the path is a regular file of at most this many bytes. */
function readSmallFile(path: string, variable: string, mostBytes: number): string {
  let bytes: Buffer
  try {
    bytes = readRegularFile(path, mostBytes)
  } catch (error) {
    throw new UsageError(`${variable} names ${path}, which cannot be read: ${(error as Error).message}`)
  }
  if (isWideText(bytes)) throw new UsageError(`${variable} names ${path}, which ${wideTextProblem}`)
  return bytes.toString('utf8')
}

function readTls({ tlsCertificatePath: certificatePath, tlsKeyPath: keyPath }: Settings): ServerOptions['tls'] {
  if (certificatePath === undefined && keyPath === undefined) return undefined
  if (certificatePath !== undefined && keyPath !== undefined) return { certificatePath, keyPath }
  const [set, unset] =
    keyPath === undefined
      ? ['PLATFORM_TLS_CERTIFICATE_PATH', 'PLATFORM_TLS_KEY_PATH']
      : ['PLATFORM_TLS_KEY_PATH', 'PLATFORM_TLS_CERTIFICATE_PATH']
  throw new UsageError(`${set} is set without ${unset}: https needs both`)
}

const ranks = { verbose: 0, info: 1, warning: 2, error: 3 } as const

/** Bytes that may wait for a slow reader. Further lines are dropped and counted. */
const maxWaiting = 1024 * 1024

/** Where lines go. A failed write neither ends nor delays the process. */
type Sink = (line: string) => void

/** Writes each line as one JSON object. The lines of the app already are JSON objects. */
function createServerLog(write: Sink, threshold: LogLevel): WriteLog {
  return (line) => {
    if (ranks[line.level] < ranks[threshold]) return
    const { category, message } = line
    const isJson = message.startsWith('{') && !message.includes('\n') && isObject(parseJson(message))
    write(category === 'app' && isJson ? escapeHidden(message) : format(line))
  }
}

/**
 * The log of this process.
 *
 * @param stream The stream of the descriptor. It is used for pipes and sockets, which Node writes without waiting, and if the platform has
 *   replaced its `write`.
 */
function openSink(descriptor: number, stream: Writable): Sink {
  return isPipe(descriptor) || isReplaced(stream) ? createPipeSink(stream) : createFileSink(descriptor)
}

function isPipe(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor)
    return stats.isFIFO() || stats.isSocket()
  } catch {
    return false
  }
}

/** A full disk loses a line. Unlike a stream of Node, this tries the next line again. */
function createFileSink(descriptor: number): Sink {
  return (line) => {
    try {
      writeSync(descriptor, `${line}\n`)
    } catch {
      // There is nowhere left to report to.
    }
  }
}

function createPipeSink(stream: Writable): Sink {
  let dropped = 0
  return (line) => {
    if (stream.destroyed) return
    if (stream.writableLength > maxWaiting) {
      dropped += 1
      return
    }
    if (dropped > 0) {
      const message = `${dropped} lines were dropped, because nothing read the log`
      dropped = 0
      stream.write(`${format({ level: 'warning', category: 'server', message })}\n`)
    }
    stream.write(`${line}\n`)
  }
}

function format({ level, category, message, name }: LogLine): string {
  const line = { time: new Date().toISOString(), level, version: VERSION, event: 'server', category, message }
  return escapeHidden(JSON.stringify(name === undefined ? line : { ...line, function: name }))
}
