import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { readVariable } from '../lib/base/env.ts'
import { isWideText, readRegularFile, wideTextProblem } from '../lib/base/files.ts'
import { isObject } from '../lib/base/json.ts'
import { StartError, messageOf } from '../server/start-error.ts'

const maxBytes = 1024 * 1024

const invalid = (problem: string, cause?: unknown) => new StartError('APP_INVALID', problem, { cause })

/**
 * Reads a JSON object from a file of at most 1 MiB. A byte order mark is accepted.
 *
 * @throws {StartError} that names the path and quotes nothing from the file, which may contain secrets.
 */
function readJsonFile(path: string): Readonly<Record<string, unknown>> {
  let bytes: Buffer
  try {
    bytes = readRegularFile(path, maxBytes)
  } catch (error) {
    throw invalid(`${path} cannot be read: ${messageOf(error)}.`, error)
  }
  if (isWideText(bytes)) throw invalid(`${path} ${wideTextProblem}.`)
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    const place = /line \d+ column \d+/.exec(messageOf(error))?.[0]
    throw invalid(`${path} is not valid JSON${place === undefined ? '' : ` (${place})`}.`)
  }
  if (isObject(value)) return value
  throw invalid(`${path} must contain a JSON object.`)
}

/** The absolute path of the file that `main` in package.json names. @throws {StartError} if it doesn't exist. */
export function findEntryPoint(appDirectory: string): string {
  const path = join(appDirectory, 'package.json')
  const { main } = readJsonFile(path)
  if (typeof main !== 'string') throw invalid(`main in ${path} is missing. Set it to the app's entry point.`)
  const file = join(appDirectory, main)
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return file
  throw invalid(`The entry point ${main} (main in ${path}) does not exist. Build the app first.`)
}

/** Settings of host.json without effect on HTTP and timer triggers. */
const ignored = new Set('$schema concurrency healthMonitor logging singleton telemetryMode watchDirectories'.split(' '))

/**
 * Reads host.json. Refuses by name a setting that the emulator doesn't follow.
 *
 * @returns The route prefix, without slashes at its ends.
 */
export function readRoutePrefix(appDirectory: string): string {
  const path = join(appDirectory, 'host.json')
  const { version, extensions, ...others } = readJsonFile(path)
  if (version !== '2.0') throw invalid(`version in ${path} must be "2.0".`)
  const { http } = isObject(extensions) ? extensions : {}
  const { routePrefix = 'api', ...otherHttp } = isObject(http) ? http : {}
  const inHttp = Object.keys(otherHttp).map((name) => `extensions.http.${name}`)
  const other = [...Object.keys(others), ...inHttp].find((name) => !ignored.has(name))
  if (other !== undefined) throw unsupported(`${other} in ${path}`)
  if (typeof routePrefix === 'string') return routePrefix.split('/').filter(Boolean).join('/')
  throw invalid(`extensions.http.routePrefix in ${path} must be a plain path, or "".`)
}

export const unsupported = (feature: string) =>
  new StartError('FEATURE_UNSUPPORTED', `${feature} is not supported by the local emulator. Remove it.`)

/**
 * Copies `Values` of local.settings.json into `env`, as `func start` does. A variable that is set already keeps its value. A missing file
 * isn't an error.
 *
 * @returns The default port, `Host.LocalHttpPort`.
 * @throws {StartError} Messages contain no values.
 */
export function applyLocalSettings(appDirectory: string, env: NodeJS.ProcessEnv): number | undefined {
  const path = join(appDirectory, 'local.settings.json')
  if (!existsSync(path)) return undefined
  const { IsEncrypted: isEncrypted, Values: values = {}, Host: host } = readJsonFile(path)
  if (isEncrypted !== false) {
    const problem = 'is true or missing, but the local emulator cannot read encrypted settings. Set it to false.'
    throw invalid(`IsEncrypted in ${path} ${problem}`)
  }
  if (!isObject(values)) throw invalid(`Values in ${path} must be an object.`)
  const nested = Object.keys(values).find((name) => !['string', 'number', 'boolean'].includes(typeof values[name]))
  if (nested !== undefined) throw invalid(`Values.${nested} in ${path} must be a string.`)
  const port = isObject(host) ? host['LocalHttpPort'] : undefined
  if (port !== undefined && !Number.isInteger(port)) {
    throw invalid(`Host.LocalHttpPort in ${path} must be a whole number.`)
  }
  for (const [name, value] of Object.entries(values))
    if (readVariable(env, name) === undefined) env[name] = String(value)
  return port === undefined ? undefined : Number(port)
}
