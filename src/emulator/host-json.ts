import { join } from 'node:path'

import { StartError } from '../server/start-error.ts'
import { isObject } from '../lib/base/json.ts'
import { readJsonFile } from './json-file.ts'
import type { JsonObject } from './json-file.ts'

/** The settings that the emulator reads from host.json. */
export interface HostConfiguration {
  /** Without slashes at its ends. Default is `api`. */
  readonly routePrefix: string
}

const read = ['$schema', 'version', 'extensions']
/** Fields without an effect on HTTP and timer triggers. */
const harmless = ['aggregator', 'concurrency', 'healthMonitor', 'logging', 'managedDependency', 'singleton']
const known = new Set([...read, ...harmless, 'telemetryMode', 'watchDirectories', 'watchFiles'])

/** Settings of `extensions.http` that would change answers, and when they are in use. */
const refusedHttp: Readonly<Record<string, (value: unknown) => boolean>> = {
  customHeaders: (value) => isObject(value) && Object.keys(value).length > 0,
  dynamicThrottlesEnabled: (value) => value === true,
  hsts: (value) => isObject(value) && value['isEnabled'] === true,
  maxConcurrentRequests: (value) => typeof value === 'number' && value > 0,
  maxOutstandingRequests: (value) => typeof value === 'number' && value > 0,
}

/**
 * Reads host.json. An unsupported or unknown setting is refused by name rather than ignored.
 *
 * @throws {StartError} `HOST_JSON_MISSING`, `HOST_JSON_INVALID` or `FEATURE_UNSUPPORTED`.
 */
export function readHostJson(appDirectory: string): HostConfiguration {
  const path = join(appDirectory, 'host.json')
  const json = readJsonFile(path, 'HOST_JSON_INVALID')
  if (json === undefined) {
    throw new StartError('HOST_JSON_MISSING', `${path} does not exist. Create it with at least {"version": "2.0"}.`)
  }
  if (json['version'] !== '2.0') throw new StartError('HOST_JSON_INVALID', `version in ${path} must be "2.0".`)
  for (const name of Object.keys(json)) if (!known.has(name)) throw unsupported(name, path)
  return { routePrefix: readRoutePrefix(readHttp(json, path), path) }
}

function readHttp(json: JsonObject, path: string): JsonObject {
  const extensions = json['extensions'] ?? {}
  if (!isObject(extensions)) throw new StartError('HOST_JSON_INVALID', `extensions in ${path} must be an object.`)
  const http = extensions['http'] ?? {}
  if (!isObject(http)) throw new StartError('HOST_JSON_INVALID', `extensions.http in ${path} must be an object.`)
  for (const [name, isUsed] of Object.entries(refusedHttp)) {
    if (isUsed(http[name])) throw unsupported(`extensions.http.${name}`, path)
  }
  return http
}

function readRoutePrefix(http: JsonObject, path: string): string {
  const prefix = http['routePrefix'] ?? 'api'
  if (typeof prefix !== 'string' || /[{}?#\s]/.test(prefix)) {
    throw new StartError('HOST_JSON_INVALID', `extensions.http.routePrefix in ${path} must be a plain path, or "".`)
  }
  return prefix
    .split('/')
    .filter((part) => part !== '')
    .join('/')
}

function unsupported(name: string, path: string): StartError {
  return new StartError('FEATURE_UNSUPPORTED', `${name} in ${path} is not supported by the local emulator. Remove it.`)
}
