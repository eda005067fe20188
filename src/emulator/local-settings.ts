import { join } from 'node:path'

import { StartError } from '../server/start-error.ts'
import { isObject } from '../lib/base/json.ts'
import { readJsonFile } from './app-files.ts'

/** The content of local.settings.json. */
export interface LocalSettings {
  /** Names of the variables that were set. Names only: values may be secrets. */
  readonly applied: readonly string[]
  /** `Host.LocalHttpPort`, the port when no other is given. */
  readonly httpPort?: number
}

/**
 * Copies `Values` of local.settings.json into `env`, as `func start` does: a variable that is already set, and not
 * empty, wins. A missing file is no error.
 *
 * @throws {StartError} `LOCAL_SETTINGS_ENCRYPTED` when `IsEncrypted` is true, or missing, which means true;
 * `LOCAL_SETTINGS_INVALID` for anything else. Values are never echoed.
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
        ? `IsEncrypted in ${path} is true or missing, and encrypted settings cannot be read. Set it to false.`
        : `IsEncrypted in ${path} must be false.`,
    )
  }
  const applied: string[] = []
  for (const [name, value] of Object.entries(readValues(json['Values'], path))) {
    if ((env[name] ?? '') !== '') continue
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
