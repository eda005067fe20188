import { readRegularFile, isWideText, wideTextProblem } from '../lib/base/files.ts'
import { describeWarning, refuseReferences } from '../lib/errors.ts'
import { warningFindings } from '../lib/findings/warning-findings.ts'
import type { Service } from '../lib/service/service.ts'
import { firstSettings, type Settings } from '../lib/settings/settings.ts'
import type { WriteLog, LogLine } from '../server/log.ts'
import type { RunningServer, ServerOptions } from '../server/server.ts'
import { StartError } from '../server/start-error.ts'
import { exitCodes, UsageError } from './command.ts'
import { onStopSignal } from './processes.ts'
import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { isObject, parseJson } from '../lib/base/json.ts'
import { escapeHidden } from '../lib/base/printable.ts'
import { VERSION } from '../lib/settings/version.ts'
import type { LogLevel } from '../lib/base/app.ts'
import { isReplaced } from './run-process.ts'

/** Starts a server, prints the three lines of a start, and stops the server at a signal. @param grace Seconds that a stop may take. */
export async function serveApp(
  { cloud, settings, warnings, missingCredential }: Service,
  start: (options: ServerOptions) => Promise<RunningServer>,
  print: (text: string) => void,
  grace?: number,
): Promise<void> {
  const log = createServerLog(settings.logLevel)
  const say = (level: LogLevel, message: string) => log({ level, category: 'server', message })
  logProcessWarnings(log)
  // In the first half, at most 10 seconds, new requests are served. The last second is for sending responses and for terminating the app.
  const drainPeriod = Math.min((grace ?? 0) * 500, 10_000)
  const periods = grace === undefined ? {} : { drainPeriod, gracePeriod: grace * 1000 - drainPeriod - 1000 }
  const server = await start({ ...readServerOptions(settings), ...periods, log }).catch(nameVariable)
  logCrash(log)
  // Before the lines, because their reader may send a signal at once.
  onStopSignal(() => server.close(), grace === undefined ? undefined : grace * 1000)
  print(`Server running on ${server.url}\nCloud: ${cloud.profile.name}\nAuth Mode: ${settings.authMode}\n`)
  const [found, missing] = await Promise.all([warnings(), missingCredential()]).catch(() => {
    say('error', 'A part of this build cannot be loaded')
    return [[], undefined] as const
  })
  if (cloud.selectedBy === 'default' && settings.authModeFrom === 'default') {
    const message =
      'Nothing is configured: no variable selects a profile or a way to sign in. Replace TENANT, CLIENT and the path, run these lines, and start again:'
    // Lines to copy, where a person reads them, and otherwise one line of the log.
    if (process.stderr.isTTY) process.stderr.write(`${[message, ...firstSettings].join('\n  ')}\n`)
    else say('warning', [message, ...firstSettings].join(' '))
  }
  if (missing !== undefined) say('warning', `CREDENTIAL_SETTING_MISSING: ${missing}`)
  for (const each of found)
    say('warning', `${each.code}: ${describeWarning(each)}. Fix: ${warningFindings[each.code].fix}`)
}

/** The fix for a start error, by its code. The server doesn't know the variables. */
const fixes: Readonly<Record<string, string>> = {
  PORT_IN_USE: 'Set PORT to change it.',
  PORT_INVALID: 'Correct PORT.',
  ADDRESS_UNAVAILABLE: 'Correct PLATFORM_LISTEN_ADDRESS.',
  KEY_REQUIRED: 'Set PLATFORM_HOST_KEY or PLATFORM_HOST_KEY_PATH.',
  KEY_TOO_SHORT: 'Correct PLATFORM_HOST_KEY or PLATFORM_HOST_KEY_PATH.',
  TLS_INVALID: 'Correct the files of PLATFORM_TLS_CERTIFICATE_PATH and PLATFORM_TLS_KEY_PATH.',
  SETTING_INVALID: 'Correct WEBSITE_TIME_ZONE.',
}

function nameVariable(error: unknown): never {
  const fix = error instanceof StartError && fixes[error.code]
  throw fix ? new UsageError(`${error.message} ${fix}`) : error
}

/** Logs the warnings of Node, such as about the file of NODE_EXTRA_CA_CERTS. */
function logProcessWarnings(log: WriteLog): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => {
    log({ level: 'warning', category: 'process', message: `${name}: ${message}` })
  })
}

/** Logs an uncaught error as one line, and ends the process, as a worker does. Node would print every property of the error. */
function logCrash(log: WriteLog): void {
  process.once('uncaughtException', ({ name, message, stack = '' }) => {
    const frames = stack.match(/^ +at .*$/gm)?.slice(0, 5) ?? []
    const where = frames.map((frame) => frame.trim()).join(' ')
    log({ level: 'error', category: 'process', message: `The process stops: ${name}: ${message} ${where}`.trim() })
    process.exit(exitCodes.fault)
  })
}

/** Far above the length of a key and of the line break that a tool may append. */
const maxKeyBytes = 4096

/** @throws {UsageError} that names the variable, for a file without a key, or for one TLS file without the other. */
export function readServerOptions(settings: Settings): Pick<ServerOptions, 'port' | 'hostname' | 'key' | 'tls'> {
  const { hostKey, hostKeyPath: path } = settings
  return {
    port: settings.port,
    hostname: settings.listenAddress,
    key: path === undefined ? hostKey?.reveal() : { path, read: () => readKeyFile(path) },
    tls: readTls(settings),
  }
}

function readKeyFile(path: string): string {
  const problem = (text: string) => new UsageError(`PLATFORM_HOST_KEY_PATH names ${path}, which ${text}`)
  let bytes: Buffer
  try {
    bytes = readRegularFile(path, maxKeyBytes)
  } catch (error) {
    throw problem(`cannot be read: ${(error as Error).message}`)
  }
  if (isWideText(bytes)) throw problem(wideTextProblem)
  const key = bytes.toString('utf8').trim()
  refuseReferences({ 'The value in the file of PLATFORM_HOST_KEY_PATH': key }, { areSecrets: true })
  // U+FFFD replaces bytes that aren't UTF-8. No client can send it or a control character.
  if (/^[^\s\p{C}\uFFFD]+$/u.test(key)) return key
  throw problem(`must contain one key as text and nothing else. Write it with: openssl rand -hex 32 > ${path}`)
}

function readTls({ tlsCertificatePath: certificatePath, tlsKeyPath: keyPath }: Settings): ServerOptions['tls'] {
  if (certificatePath === undefined && keyPath === undefined) return undefined
  if (certificatePath !== undefined && keyPath !== undefined) return { certificatePath, keyPath }
  const names = ['PLATFORM_TLS_CERTIFICATE_PATH', 'PLATFORM_TLS_KEY_PATH']
  const [set, unset] = keyPath === undefined ? names : names.toReversed()
  throw new UsageError(`${set} is set without ${unset}. Set both to serve https`)
}

const ranks = { verbose: 0, info: 1, warning: 2, error: 3 } as const

/** Bytes that may wait for a slow reader. Further lines are dropped and counted. */
const maxWaiting = 1024 * 1024

/** Writes each line as one JSON object. The lines of the app already are JSON objects. A failure neither ends nor delays the process. */
function createServerLog(threshold: LogLevel): WriteLog {
  // Node doesn't wait for pipes and sockets.
  const isPipe = process.stderr instanceof Socket && !process.stderr.isTTY
  const write = isPipe || isReplaced(process.stderr) ? createPipeSink(process.stderr) : writeToFile
  return (line) => {
    if (ranks[line.level] < ranks[threshold]) return
    const { category, message } = line
    const isJson = message.startsWith('{') && !message.includes('\n') && isObject(parseJson(message))
    write(category === 'app' && isJson ? escapeHidden(message) : format(line))
  }
}

/** If the disk is full, only this line is lost. A Node stream would write no further line. */
function writeToFile(line: string): void {
  try {
    writeSync(2, `${line}\n`)
  } catch {
    // There is nowhere left to report to.
  }
}

function createPipeSink(stream: Writable): (line: string) => void {
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
