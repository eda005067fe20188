import { join } from 'node:path'

import { HostError } from '../errors.ts'
import { isJsonObject, readJsonFile } from './json-file.ts'
import type { JsonObject } from './json-file.ts'

/** What the host takes from host.json. */
export interface HostConfiguration {
  /** Without slashes at its ends. Default is `api`. */
  readonly routePrefix: string
  /** Milliseconds after which an invocation is abandoned; `undefined` for never. Default is 1800000 (30 minutes). */
  readonly functionTimeout: number | undefined
  /** Fields that have no effect here, for the log. */
  readonly warnings: readonly string[]
}

const defaultTimeout = 30 * 60_000
/** The longest delay of a Node timer (24.8 days). */
const longestTimeout = 2 ** 31 - 1

const refused = ['customHandler', 'functions', 'httpWorker', 'retry']
const read = ['$schema', 'version', 'functionTimeout', 'extensions']
/** Fields that change nothing which HTTP and timer triggers could notice. */
const harmless = ['aggregator', 'concurrency', 'healthMonitor', 'logging', 'managedDependency', 'singleton']
const known = new Set([...read, ...harmless, 'telemetryMode', 'watchDirectories', 'watchFiles'])

/** Settings of `extensions.http` that would change answers, and when they are in use. */
const refusedHttp: Readonly<Record<string, (value: unknown) => boolean>> = {
  customHeaders: (value) => isJsonObject(value) && Object.keys(value).length > 0,
  dynamicThrottlesEnabled: (value) => value === true,
  hsts: (value) => isJsonObject(value) && value['isEnabled'] === true,
  maxConcurrentRequests: (value) => typeof value === 'number' && value > 0,
  maxOutstandingRequests: (value) => typeof value === 'number' && value > 0,
}

/**
 * Reads host.json. A feature this host lacks is refused by name rather than ignored.
 *
 * @throws {HostError} `HOST_JSON_MISSING`, `HOST_JSON_INVALID` or `FEATURE_UNSUPPORTED`.
 */
export function readHostJson(appDirectory: string): HostConfiguration {
  const path = join(appDirectory, 'host.json')
  const json = readJsonFile(path, 'HOST_JSON_INVALID')
  if (json === undefined) {
    throw new HostError('HOST_JSON_MISSING', `${path} does not exist. Create it with at least {"version": "2.0"}.`)
  }
  if (json['version'] !== '2.0') throw new HostError('HOST_JSON_INVALID', `version in ${path} must be "2.0".`)
  for (const name of refused) if (name in json) throw unsupported(name, path)
  return {
    routePrefix: readRoutePrefix(readHttp(json, path), path),
    functionTimeout: readTimeout(json['functionTimeout'], path),
    warnings: Object.keys(json)
      .filter((name) => !known.has(name))
      .map((name) =>
        name === 'extensionBundle'
          ? `extensionBundle in ${path} is not used: HTTP and timer triggers need no bundle.`
          : `${name} in ${path} is not known to this host and is not used.`,
      ),
  }
}

function readHttp(json: JsonObject, path: string): JsonObject {
  const extensions = json['extensions'] ?? {}
  if (!isJsonObject(extensions)) throw new HostError('HOST_JSON_INVALID', `extensions in ${path} must be an object.`)
  const http = extensions['http'] ?? {}
  if (!isJsonObject(http)) throw new HostError('HOST_JSON_INVALID', `extensions.http in ${path} must be an object.`)
  for (const [name, isUsed] of Object.entries(refusedHttp)) {
    if (isUsed(http[name])) throw unsupported(`extensions.http.${name}`, path)
  }
  return http
}

function readRoutePrefix(http: JsonObject, path: string): string {
  const prefix = http['routePrefix'] ?? 'api'
  if (typeof prefix !== 'string' || /[{}?#\s]/.test(prefix)) {
    throw new HostError('HOST_JSON_INVALID', `extensions.http.routePrefix in ${path} must be a plain path, or "".`)
  }
  return prefix.replace(/^\/+|\/+$/g, '')
}

function readTimeout(value: unknown, path: string): number | undefined {
  if (value === undefined) return defaultTimeout
  if (value === '-1' || value === -1) return undefined
  const match = typeof value === 'string' ? /^(?:(\d+)\.)?(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d+)?$/.exec(value) : null
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match?.slice(1).map((part) => Number(part ?? 0)) ?? []
  const total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
  if (hours > 23 || minutes > 59 || seconds > 59 || total < 1) {
    throw new HostError(
      'HOST_JSON_INVALID',
      `functionTimeout in ${path} must be "hh:mm:ss" of at least one second, or "-1".`,
    )
  }
  return Math.min(total * 1000, longestTimeout)
}

function unsupported(name: string, path: string): HostError {
  return new HostError('FEATURE_UNSUPPORTED', `${name} in ${path} is not supported by the embedded host. Remove it.`)
}
