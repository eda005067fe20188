import { resolveAuthMode, type AuthMode } from '../auth/auth-mode.ts'
import { readTokenHosts } from '../auth/token-hosts.ts'
import { isServiceError, ServiceError } from '../errors.ts'
import { isSchedule } from './schedule.ts'
import { readVariable, type Env } from '../profile/overrides.ts'
import { dnsLabelPattern, tenantPattern } from '../profile/patterns.ts'
import { showValue } from '../profile/show-value.ts'

export const authLevels = ['function', 'anonymous', 'admin'] as const

/** Who may call the three routes: a function key, anybody, or the host's master key. */
export type AuthLevel = (typeof authLevels)[number]

export const logLevels = ['error', 'warning', 'info', 'verbose'] as const

export type LogLevel = (typeof logLevels)[number]

/** What the environment says about the service itself; the profile and the credential read their own variables. */
export interface Settings {
  readonly authMode: AuthMode
  readonly httpAuthLevel: AuthLevel
  /** Six-field NCRONTAB expression. */
  readonly smokeTestSchedule: string
  /** Whether the timer also asks for a token with the active profile. */
  readonly smokeTestChecksToken: boolean
  /** Milliseconds of one whole token attempt. */
  readonly tokenTimeoutMs: number
  readonly logLevel: LogLevel
  readonly port: number
  readonly discoverAudience: boolean
  readonly allowedTokenHosts: readonly string[]
  readonly subscriptionId?: string
  readonly storageAccount?: string
  readonly keyVault?: string
  readonly classificationBanner?: string
}

/**
 * Reads and checks every setting.
 *
 * @throws {ServiceError} `SETTING_INVALID` that names each wrong variable, all at once.
 */
export function readSettings(env: Env): Settings {
  const problems: string[] = []
  const attempt = <T>(read: () => T, fallback: T): T => {
    try {
      return read()
    } catch (error) {
      if (!isServiceError(error)) throw error
      problems.push(error.message)
      return fallback
    }
  }
  const settings: Settings = {
    authMode: attempt(() => resolveAuthMode(env), 'platformCli'),
    httpAuthLevel: attempt(() => readAuthLevel(env), 'function'),
    smokeTestSchedule: attempt(() => readSchedule(env), ''),
    smokeTestChecksToken: attempt(() => readSwitch(env, 'SMOKE_TEST_CHECK_TOKEN'), false),
    tokenTimeoutMs: attempt(() => readInteger(env, 'PLATFORM_TOKEN_TIMEOUT_MS', 10_000, 1000, 120_000), 0),
    logLevel: attempt(() => readChoice(env, 'PLATFORM_LOG_LEVEL', logLevels, 'info'), 'info'),
    port: attempt(() => readInteger(env, 'PORT', 3000, 0, 65_535), 0),
    discoverAudience: attempt(() => readSwitch(env, 'PLATFORM_DISCOVER_AUDIENCE'), false),
    allowedTokenHosts: attempt(() => readTokenHosts(env), []),
    ...text(env, 'subscriptionId', 'PLATFORM_SUBSCRIPTION_ID'),
    ...attempt(() => label(env, 'storageAccount', 'PLATFORM_STORAGE_ACCOUNT'), {}),
    ...attempt(() => label(env, 'keyVault', 'PLATFORM_KEY_VAULT'), {}),
    ...text(env, 'classificationBanner', 'PLATFORM_CLASSIFICATION_BANNER'),
  }
  attempt(() => readSwitch(env, 'PLATFORM_OVERRIDE_CUSTOM_PROFILE'), false)
  attempt(() => readTenant(env), undefined)
  if (problems.length === 0) return settings
  throw new ServiceError('SETTING_INVALID', problems.join('\n'))
}

/** The access level of the routes alone: functions are registered before the other settings are checked. */
export function readAuthLevel(env: Env): AuthLevel {
  return readChoice(env, 'HTTP_AUTH_LEVEL', authLevels, 'function')
}

/** The timer's schedule alone, for the same reason. */
export function readSchedule(env: Env): string {
  const schedule = readVariable(env, 'SMOKE_TEST_SCHEDULE')?.trim()
  if (schedule === undefined) return '0 */15 * * * *'
  if (isSchedule(schedule)) return schedule
  throw invalid(
    'SMOKE_TEST_SCHEDULE',
    'a six-field NCRONTAB expression (second minute hour day month weekday)',
    schedule,
  )
}

function readTenant(env: Env): string | undefined {
  const tenant = readVariable(env, 'PLATFORM_TENANT_ID')
  if (tenant === undefined || tenantPattern.test(tenant)) return tenant
  throw invalid('PLATFORM_TENANT_ID', 'a GUID, a domain name or adfs', tenant)
}

function readChoice<T extends string>(env: Env, name: string, choices: readonly T[], fallback: T): T {
  const value = readVariable(env, name)
  if (value === undefined) return fallback
  const choice = choices.find((known) => known === value.trim())
  if (choice !== undefined) return choice
  throw invalid(name, `one of ${choices.join(', ')}`, value)
}

function readSwitch(env: Env, name: string): boolean {
  return readChoice(env, name, ['true', 'false'], 'false') === 'true'
}

function readInteger(env: Env, name: string, fallback: number, least: number, most: number): number {
  const value = readVariable(env, name)
  if (value === undefined) return fallback
  const number = /^\d{1,9}$/.test(value.trim()) ? Number(value) : Number.NaN
  if (number >= least && number <= most) return number
  throw invalid(name, `a whole number from ${least} to ${most}`, value)
}

function text<K extends string>(env: Env, key: K, name: string): { readonly [P in K]?: string } {
  const value = readVariable(env, name)?.trim()
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: string })
}

/** A resource's name that becomes part of a host name. */
function label<K extends string>(env: Env, key: K, name: string): { readonly [P in K]?: string } {
  const value = readVariable(env, name)?.trim()
  if (value !== undefined && !dnsLabelPattern.test(value)) {
    throw invalid(name, 'one DNS label (letters, digits, inner hyphens)', value)
  }
  return text(env, key, name)
}

function invalid(name: string, rule: string, value: string): ServiceError {
  return new ServiceError('SETTING_INVALID', `${name} must be ${rule}, but is ${showValue(value)}`)
}
