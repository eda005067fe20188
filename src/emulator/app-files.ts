import { readVariable } from '../lib/base/env.ts'
import { statSync } from 'node:fs'
import { join } from 'node:path'

import { isObject } from '../lib/base/json.ts'
import { isWideText, readRegularFile, wideTextProblem } from '../lib/base/files.ts'
import { StartError, messageOf, type StartErrorCode } from '../server/start-error.ts'

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
  let bytes: Buffer
  try {
    bytes = readRegularFile(path, maxBytes)
  } catch (error) {
    throw new StartError(code, `${path} cannot be read: ${messageOf(error)}.`, { cause: error })
  }
  if (isWideText(bytes)) throw new StartError(code, `${path} ${wideTextProblem}.`)
  const value = parseJson(bytes.toString('utf8').replace(/^\uFEFF/, ''), path, code)
  if (!isObject(value)) throw new StartError(code, `${path} must contain a JSON object.`)
  return value
}

function parseJson(text: string, path: string, code: StartErrorCode): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const place = /line \d+ column \d+/.exec(messageOf(error))?.[0]
    throw new StartError(code, `${path} is not valid JSON${place === undefined ? '' : ` (${place})`}.`)
  }
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

const readFields = ['$schema', 'version', 'extensions']
/** Fields that have no effect on HTTP and timer triggers. */
const harmlessFields = ['aggregator', 'concurrency', 'healthMonitor', 'logging', 'managedDependency', 'singleton']
const acceptedFields = new Set([...readFields, ...harmlessFields, 'telemetryMode', 'watchDirectories', 'watchFiles'])

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
  const unsupported = (name: string) =>
    new StartError('FEATURE_UNSUPPORTED', `${name} in ${path} is not supported by the local emulator. Remove it.`)
  if (json['version'] !== '2.0') throw invalid(`version in ${path} must be "2.0".`)
  for (const name of Object.keys(json)) if (!acceptedFields.has(name)) throw unsupported(name)
  const { extensions = {} } = json
  if (!isObject(extensions)) throw invalid(`extensions in ${path} must be an object.`)
  const { http = {} } = extensions
  if (!isObject(http)) throw invalid(`extensions.http in ${path} must be an object.`)
  for (const [name, isUsed] of Object.entries(refusedHttp)) {
    if (isUsed(http[name])) throw unsupported(`extensions.http.${name}`)
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
  const applied: string[] = []
  for (const [name, value] of Object.entries(readValues(json['Values'], path))) {
    if (readVariable(env, name) !== undefined) continue
    env[name] = value
    applied.push(name)
  }
  return { applied, ...readPort(json['Host'], path) }
}

function readValues(values: unknown, path: string): Record<string, string> {
  if (values === undefined) return {}
  if (!isObject(values)) throw new StartError('LOCAL_SETTINGS_INVALID', `Values in ${path} must be an object.`)
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      throw new StartError('LOCAL_SETTINGS_INVALID', `Values.${name} in ${path} must be a string.`)
    }
    result[name] = String(value)
  }
  return result
}

function readPort(host: unknown, path: string): { httpPort?: number } {
  const port = isObject(host) ? host['LocalHttpPort'] : undefined
  if (port === undefined) return {}
  if (!Number.isInteger(port)) {
    throw new StartError('LOCAL_SETTINGS_INVALID', `Host.LocalHttpPort in ${path} must be a whole number.`)
  }
  return { httpPort: Number(port) }
}
