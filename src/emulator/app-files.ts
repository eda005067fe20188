import { readVariable } from '../lib/base/env.ts'
import { statSync } from 'node:fs'
import { join } from 'node:path'

import { isObject } from '../lib/base/json.ts'
import { isWideText, readRegularFile, wideTextProblem } from '../lib/base/files.ts'
import { StartError, messageOf, type StartErrorCode } from '../server/start-error.ts'
import { unsupported } from './worker.ts'

const maxBytes = 1024 * 1024

type JsonObject = Readonly<Record<string, unknown>>

/**
 * Reads a JSON object from a file of at most 1 MiB. A byte order mark is accepted.
 *
 * @returns `undefined` if the file doesn't exist.
 * @throws {StartError} with this code. The message names the path and quotes nothing from the file, which may contain secrets.
 */
function readJsonFile(path: string, code: StartErrorCode): JsonObject | undefined {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined
  const refuse: (problem: string, cause?: unknown) => never = (problem, cause) => {
    throw new StartError(code, `${path} ${problem}.`, { cause })
  }
  let bytes: Buffer
  try {
    bytes = readRegularFile(path, maxBytes)
  } catch (error) {
    refuse(`cannot be read: ${messageOf(error)}`, error)
  }
  if (isWideText(bytes)) refuse(wideTextProblem)
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    const place = /line \d+ column \d+/.exec(messageOf(error))?.[0]
    refuse(`is not valid JSON${place === undefined ? '' : ` (${place})`}`)
  }
  return isObject(value) ? value : refuse('must contain a JSON object')
}

/**
 * Finds the file that `main` in package.json names. Unlike the Node worker, it accepts no glob pattern.
 *
 * @returns An absolute path.
 * @throws {StartError} `PACKAGE_JSON_INVALID` or `ENTRY_POINT_INVALID`.
 */
export function findEntryPoint(appDirectory: string): string {
  const path = join(appDirectory, 'package.json')
  const json = readJsonFile(path, 'PACKAGE_JSON_INVALID')
  if (json === undefined) {
    throw new StartError(
      'PACKAGE_JSON_INVALID',
      `${path} does not exist. Create it, with the app's entry point as main.`,
    )
  }
  const main = json['main']
  if (typeof main !== 'string' || main === '') {
    throw new StartError('PACKAGE_JSON_INVALID', `main in ${path} is missing. Set it to the app's entry point.`)
  }
  const file = join(appDirectory, main)
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    const problem = /[*?[\]{}!]/.test(main) ? 'is a pattern. Name one file' : 'does not exist. Build the app first'
    throw new StartError('ENTRY_POINT_INVALID', `The entry point ${main} (main in ${path}) ${problem}.`)
  }
  if (file.endsWith('.mjs') || (json['type'] === 'module' && !file.endsWith('.cjs'))) {
    throw new StartError('ENTRY_POINT_INVALID', `${file} is an ES module. The local emulator loads CommonJS: use .cjs.`)
  }
  return file
}

/** Fields that are read, or have no effect on HTTP and timer triggers. */
const acceptedFields = new Set(
  '$schema version extensions aggregator concurrency healthMonitor logging managedDependency singleton telemetryMode watchDirectories watchFiles'.split(
    ' ',
  ),
)

/** Settings of `extensions.http` that change responses, each with a test whether the value turns the setting on. */
const refusedHttp: Readonly<Record<string, (value: unknown) => boolean>> = {
  customHeaders: (value) => isObject(value) && Object.keys(value).length > 0,
  dynamicThrottlesEnabled: (value) => value === true,
  hsts: (value) => isObject(value) && value['isEnabled'] === true,
  maxConcurrentRequests: (value) => typeof value === 'number' && value > 0,
  maxOutstandingRequests: (value) => typeof value === 'number' && value > 0,
}

/**
 * Reads host.json. Refuses an unsupported or unknown setting by name.
 *
 * @returns The route prefix, without slashes at its ends.
 * @throws {StartError} `HOST_JSON_MISSING`, `HOST_JSON_INVALID` or `FEATURE_UNSUPPORTED`.
 */
export function readRoutePrefix(appDirectory: string): string {
  const path = join(appDirectory, 'host.json')
  const json = readJsonFile(path, 'HOST_JSON_INVALID')
  if (json === undefined) {
    throw new StartError('HOST_JSON_MISSING', `${path} does not exist. Create it with at least {"version": "2.0"}.`)
  }
  const invalid = (rule: string) => new StartError('HOST_JSON_INVALID', rule)
  if (json['version'] !== '2.0') throw invalid(`version in ${path} must be "2.0".`)
  for (const name of Object.keys(json)) if (!acceptedFields.has(name)) throw unsupported(`${name} in ${path}`)
  const { extensions = {} } = json
  if (!isObject(extensions)) throw invalid(`extensions in ${path} must be an object.`)
  const { http = {} } = extensions
  if (!isObject(http)) throw invalid(`extensions.http in ${path} must be an object.`)
  for (const [name, isUsed] of Object.entries(refusedHttp)) {
    if (isUsed(http[name])) throw unsupported(`extensions.http.${name} in ${path}`)
  }
  const { routePrefix = 'api' } = http
  if (typeof routePrefix !== 'string' || /[{}?#\s]/.test(routePrefix)) {
    throw invalid(`extensions.http.routePrefix in ${path} must be a plain path, or "".`)
  }
  return routePrefix.split('/').filter(Boolean).join('/')
}

export interface LocalSettings {
  /** Names of the variables that were set. Their values may be secrets. */
  readonly applied: readonly string[]
  /** `Host.LocalHttpPort`: the default port. */
  readonly httpPort?: number
}

/**
 * Copies `Values` of local.settings.json into `env`, as `func start` does. A variable that is set already keeps its value. A missing file
 * isn't an error.
 *
 * @throws {StartError} `LOCAL_SETTINGS_ENCRYPTED` or `LOCAL_SETTINGS_INVALID`. Messages contain no values.
 */
export function applyLocalSettings(appDirectory: string, env: NodeJS.ProcessEnv): LocalSettings {
  const path = join(appDirectory, 'local.settings.json')
  const json = readJsonFile(path, 'LOCAL_SETTINGS_INVALID')
  if (json === undefined) return { applied: [] }
  const encrypted = json['IsEncrypted'] ?? true
  if (encrypted !== false) {
    throw new StartError(
      'LOCAL_SETTINGS_ENCRYPTED',
      encrypted === true
        ? `IsEncrypted in ${path} is true or missing, but the local emulator cannot read encrypted settings. Set it to false.`
        : `IsEncrypted in ${path} must be false.`,
    )
  }
  const invalid = (problem: string) => new StartError('LOCAL_SETTINGS_INVALID', problem)
  const { Values: values = {}, Host: host } = json
  if (!isObject(values)) throw invalid(`Values in ${path} must be an object.`)
  const nested = Object.keys(values).find((name) => !['string', 'number', 'boolean'].includes(typeof values[name]))
  if (nested !== undefined) throw invalid(`Values.${nested} in ${path} must be a string.`)
  const { LocalHttpPort: port } = isObject(host) ? host : {}
  if (port !== undefined && !Number.isInteger(port)) {
    throw invalid(`Host.LocalHttpPort in ${path} must be a whole number.`)
  }
  const applied = Object.keys(values).filter((name) => readVariable(env, name) === undefined)
  for (const name of applied) env[name] = String(values[name])
  return { applied, ...(port === undefined ? {} : { httpPort: Number(port) }) }
}
