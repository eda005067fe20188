import type { AuthMode } from '../auth/modes.ts'
import type { CredentialSettings } from '../auth/credential-settings.ts'
import { detectAuthMode } from '../auth/detect-auth-mode.ts'
import { Secret } from '../auth/secret.ts'
import { toolVariables } from '../auth/tool/tool-variables.ts'
import { isServiceError, ServiceError } from '../errors.ts'
import { readVariable, type Env } from '../base/env.ts'
import { readProxies } from '../transport/proxy-for.ts'
import { refuseForeignVariables } from './foreign-variables.ts'
import { requireFipsMode } from './fips-mode.ts'
import { readIdentityVariables, readInjected } from '../auth/injected-variables.ts'
import { defaultSchedule } from './default-schedule.ts'
import { refuseForeignReferences, serviceChecks } from './references.ts'
import { readSetting, type Setting } from './setting.ts'
import { credentialTable, settingTable } from './setting-table.ts'

export { authLevels, logLevels } from './setting-table.ts'

/** The values of a table: `undefined` for a setting that is unset and has no default. */
type ValuesOf<Table> = { readonly [K in keyof Table]: Table[K] extends Setting<infer T> ? T : never }

/** The settings of an environment, read once at the edge and passed in. Secrets print as `[redacted]`. */
export interface Settings
  extends
    Omit<ValuesOf<typeof settingTable>, keyof CredentialSettings | 'smokeTestChecksToken' | 'smokeTestSchedule'>,
    CredentialSettings {
  readonly authMode: AuthMode
  /** `AUTH_MODE`, or `detected:` and what the host offers. */
  readonly authModeFrom: 'AUTH_MODE' | `detected:${string}`
  /** Six-field NCRONTAB. */
  readonly smokeTestSchedule: string
  /** `SMOKE_TEST_SCHEDULE`, or what the offset of the default schedule is derived from. */
  readonly smokeTestScheduleFrom: string
  /** Whether the timer asks for a token and probes the active cloud too. */
  readonly smokeTestChecksToken: boolean
}

/** Modes that need a person or a developer's tool, which a timer does not have. */
const attended: ReadonlySet<AuthMode> = new Set(['deviceCode', 'platformCli'])

/**
 * Reads and checks every setting.
 *
 * @throws {ServiceError} `SETTING_INVALID` that names each wrong variable, all at once; `REFERENCE_UNRESOLVED` if one of them is a reference
 *   that a deployment tool did not replace; `FIPS_MODE_OFF`.
 */
export function readSettings(env: Env): Settings {
  const values = readTable(settingTable, env, serviceChecks)
  if (values.requireFips) requireFipsMode()
  const credential = completeCredential(values, env)
  return {
    ...values,
    ...credential,
    ...readSchedule(values.smokeTestSchedule, env),
    smokeTestChecksToken: values.smokeTestChecksToken ?? !attended.has(credential.authMode),
  }
}

/**
 * The settings of credentials alone, for an application with other variables: its PORT is not ours.
 *
 * @throws {ServiceError} `SETTING_INVALID` that names each wrong variable, all at once, or `REFERENCE_UNRESOLVED`.
 */
export function readCredentialSettings(env: Env): CredentialSettings & { readonly authMode: AuthMode } {
  return completeCredential(readTable(credentialTable, env), env)
}

function readSchedule(schedule: string | undefined, env: Env) {
  if (schedule !== undefined) return { smokeTestSchedule: schedule, smokeTestScheduleFrom: 'SMOKE_TEST_SCHEDULE' }
  const derived = defaultSchedule(env)
  return { smokeTestSchedule: derived.schedule, smokeTestScheduleFrom: derived.derivedFrom }
}

function completeCredential(values: ValuesOf<typeof credentialTable>, env: Env) {
  const injected = readInjected(env)
  const mode =
    values.authMode === undefined
      ? detectAuthMode({ ...values, injected })
      : ({ authMode: values.authMode, authModeFrom: 'AUTH_MODE' } as const)
  return {
    ...values,
    ...mode,
    allowedTokenHosts: values.allowedTokenHosts ?? [],
    literalSecrets: values.literalSecrets ?? [],
    injected,
    identityVariables: secretUnlessEmpty(readIdentityVariables(env)),
    proxies: new Secret(readProxies(env)),
    toolEnvironment: new Secret(toolVariables(env)),
  }
}

function secretUnlessEmpty(variables: Env): Secret<Env> | undefined {
  return Object.keys(variables).length === 0 ? undefined : new Secret(variables)
}

/** @param checks Further checks of the environment. */
function readTable<T extends Readonly<Record<string, Setting<unknown>>>>(
  table: T,
  env: Env,
  checks: readonly ((env: Env) => unknown)[] = [],
): ValuesOf<T> {
  const problems: ServiceError[] = []
  const attempt = (read: () => unknown): unknown => {
    try {
      return read()
    } catch (error) {
      if (!isServiceError(error)) throw error
      problems.push(error)
      return undefined
    }
  }
  for (const check of [refuseForeignVariables, refuseTwoSources, refuseForeignReferences, ...checks])
    attempt(() => check(env))
  const values = Object.entries(table).map(([key, row]) => [key, attempt(() => readSetting(env, row))])
  if (problems.length > 0) {
    const unresolved = problems.find(({ code }) => code === 'REFERENCE_UNRESOLVED')
    throw new ServiceError(unresolved?.code ?? 'SETTING_INVALID', problems.map(({ message }) => message).join('\n'))
  }
  return Object.fromEntries(values) as ValuesOf<T>
}

/** @throws {ServiceError} `SETTING_INVALID` if a secret comes from a variable and from a file. */
function refuseTwoSources(env: Env): void {
  const names = Object.values<Setting<unknown>>(settingTable).flatMap(({ name, secret }) => (secret ? name : []))
  const both = names.filter((name) => [name, `${name}_PATH`].every((each) => readVariable(env, each) !== undefined))
  if (both.length === 0) return
  const lines = both.map((name) => `${name} and ${name}_PATH are both set: keep one`)
  throw new ServiceError('SETTING_INVALID', lines.join('\n'))
}
