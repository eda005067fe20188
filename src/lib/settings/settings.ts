import { readVariable, type Env, readProxies } from '../base/env.ts'
import { ownCopy } from '../base/json.ts'
import { hashText } from '../base/names.ts'
import { secretInFile } from '../base/secret.ts'
import { readRegularFile } from '../base/files.ts'
import { InvalidSettingsError, isServiceError, refuseReferences, type SettingProblem } from '../errors.ts'
import { completeCredential, injectedVariables, type CredentialValues } from './credential-values.ts'
import { refuseForeignVariables } from './foreign-variables.ts'
import { requireFipsMode } from './node-requirements.ts'
import { parseSetting, readSetting, type Setting, type ValuesOf } from './setting.ts'
import { attendedModes, credentialTable, scripts, selection, secretVariables, settingTable } from './setting-table.ts'

// This folder reads environment variables by one table. It checks every value, reads only short files, and makes no request.

/** The settings of an environment, read once at the edge and passed in. Secrets print as `[redacted]`. */
export interface Settings
  extends
    Omit<ValuesOf<typeof settingTable>, keyof CredentialValues | 'smokeTestChecksToken' | 'smokeTestSchedule'>,
    CredentialValues {
  /** Six-field NCRONTAB. */
  readonly smokeTestSchedule: string
  /** `SMOKE_TEST_SCHEDULE`, or what the offset of the default schedule is derived from. */
  readonly smokeTestScheduleFrom: string
  /** Whether the timer requests a token and probes the active cloud too. */
  readonly smokeTestChecksToken: boolean
}

/** Reads and checks every setting. The error names each wrong variable, all at once. @param checks Further checks for the same error. */
export function readSettings(env: Env, checks: readonly ((env: Env) => void)[] = []): Settings {
  const read = (row: Setting<unknown>) => readSetting(env, row)
  const values = readRows(settingTable, read, [
    ...checksOfVariables(env),
    () => refuseReferences({ NODE_EXTRA_CA_CERTS: readVariable(env, 'NODE_EXTRA_CA_CERTS') }),
    // A secret file that can't be read fails later, with its name.
    () => refuseReferences(readSecretFiles(env), { areSecrets: true }),
    ...[...selection, ...scripts].map((row) => () => readSetting(env, row)),
    ...checks.map((check) => () => check(env)),
  ])
  if (values.requireFips) requireFipsMode()
  const credential = completeCredential(values, env)
  return ownCopy({
    ...values,
    ...credential,
    ...(values.smokeTestSchedule === undefined
      ? defaultSchedule(env)
      : { smokeTestSchedule: values.smokeTestSchedule, smokeTestScheduleFrom: 'SMOKE_TEST_SCHEDULE' }),
    smokeTestChecksToken: values.smokeTestChecksToken ?? !attendedModes.includes(credential.authMode),
  })
}

/** Values of the credential table that a caller passes. */
export type GivenValues = Readonly<Partial<Record<keyof typeof credentialTable, string | readonly string[]>>>

/** Reads only the settings of credentials, for an application: its other variables, such as PORT, aren't ours. */
export function readCredentialSettings(env: Env): CredentialValues {
  const values = readRows(credentialTable, (row) => readSetting(env, row), checksOfVariables(env))
  return completeCredential(values, env)
}

/** The settings that a caller passes in place of variables. The deadline, proxies and what a host injects come from `env`. Problems name the keys. */
export function readGivenSettings(values: GivenValues, env: Env): CredentialValues {
  const given = ownCopy(values)
  const read = (row: Setting<unknown>, key: keyof GivenValues): unknown => {
    if (key === 'tokenTimeoutMs') return readSetting(env, row)
    const value = given[key]
    // Applications have more modes than AUTH_MODE, and the caller has checked the name.
    if (value === undefined || key === 'authMode') return value
    return parseSetting(row, key, value)
  }
  const checks = [() => refuseForeignVariables(env), () => refuseForeignReferences(env, (key) => given[key])]
  return completeCredential(readRows(credentialTable, read, checks), env)
}

/** The settings of an environment, if they are valid. @param onProblem Called with the problems. */
export function validSettings(env: Env, onProblem?: (problem: string) => void): Settings | undefined {
  try {
    return readSettings(env)
  } catch (error) {
    if (!isServiceError(error)) throw error
    onProblem?.(`${error.code}: ${error.message}`)
    return undefined
  }
}

/** Seconds between two scheduled runs. */
const periodSeconds = 900

/** Every 15 minutes, at an offset derived from a name, so that a fleet spreads its calls. All workers of a function app share the site name. */
export function defaultSchedule(env: Env, host = hostName) {
  const site = readVariable(env, 'WEBSITE_SITE_NAME')
  const offset = hashText(site ?? host()) % periodSeconds
  const minute = Math.floor(offset / 60)
  const minutes = [0, 15, 30, 45].map((quarter) => quarter + minute)
  return {
    smokeTestSchedule: `${offset % 60} ${minutes.join(',')} * * * *`,
    smokeTestScheduleFrom: site === undefined ? 'the host name' : 'WEBSITE_SITE_NAME',
  }
}

/** Empty before Node 22.3. Called only without a site name, so no cold start of a function app loads `node:os`. */
const hostName = (): string => (process as Partial<typeof process>).getBuiltinModule?.('node:os').hostname() ?? ''

/** Reads each row, and throws the problems of all rows and checks at once. */
function readRows<T extends Readonly<Record<string, Setting<unknown>>>>(
  table: T,
  read: (row: Setting<unknown>, key: keyof T & string) => unknown,
  checks: readonly (() => unknown)[],
): ValuesOf<T> {
  const problems: SettingProblem[] = []
  let code: InvalidSettingsError['code'] = 'SETTING_INVALID'
  const collect = (readOne: () => unknown): unknown => {
    try {
      return readOne()
    } catch (error) {
      if (!(error instanceof InvalidSettingsError)) throw error
      problems.push(...error.problems)
      if (error.code === 'REFERENCE_UNRESOLVED') code = error.code
      return undefined
    }
  }
  for (const check of checks) collect(check)
  const values = Object.entries(table).map(([key, row]) => [key, collect(() => read(row, key))])
  if (problems.length > 0) throw new InvalidSettingsError(code, problems)
  return ownCopy(Object.fromEntries(values) as ValuesOf<T>)
}

/** Checks that no row of the table can make. */
const checksOfVariables = (env: Env): readonly (() => void)[] => [
  () => refuseForeignVariables(env),
  ...secretVariables.map((name) => () => refuseTwoSources(env, name)),
  () => refuseForeignReferences(env, (key) => readVariable(env, credentialTable[key].name)),
]

/** @throws {ServiceError} `SETTING_INVALID` if a secret comes from a variable and from a file. */
function refuseTwoSources(env: Env, name: string): void {
  if ([name, `${name}_PATH`].some((each) => readVariable(env, each) === undefined)) return
  const message = `${name} and ${name}_PATH are both set: keep one`
  throw new InvalidSettingsError('SETTING_INVALID', [{ name, message }])
}

/** Refuses references in variables of other tools that decide where a credential goes: proxies, in some modes the variables of a cluster. */
function refuseForeignReferences(env: Env, ownValue: (key: keyof GivenValues) => unknown): void {
  const isRead = [undefined, 'workloadIdentity', 'default'].includes(ownValue('authMode') as string | undefined)
  const injected = (['tenantId', 'clientId', 'federatedTokenFile'] as const)
    .filter((key) => isRead && ownValue(key) === undefined)
    .map((key) => injectedVariables[key])
  const read = injected.map((name) => [name, readVariable(env, name)])
  refuseReferences({ ...readProxies(env), ...(Object.fromEntries(read) as Env) })
}

/** Bytes. A file with a reference is shorter. */
const longestReference = 4096

/** The secrets in short readable files, by their names in messages. */
export function readSecretFiles(env: Env): Readonly<Record<string, string>> {
  const secrets: Record<string, string> = {}
  for (const name of secretVariables) {
    const path = readVariable(env, `${name}_PATH`)
    try {
      if (path !== undefined)
        secrets[`The value in the file of ${name}_PATH`] = secretInFile(readRegularFile(path, longestReference))
    } catch {
      // The credential names a file that it can't read.
    }
  }
  return secrets
}

/** The lines to run first, if neither a profile nor a way to sign in is selected. README.md has the same lines. */
export const firstSettings: readonly string[] = [
  'export PLATFORM_CLOUD=platform-us-government AUTH_MODE=clientSecret',
  'export PLATFORM_TENANT_ID=TENANT PLATFORM_CLIENT_ID=CLIENT PLATFORM_CLIENT_SECRET_PATH=/path/of/secret-file',
  'npm run smoke-test -- --check-token',
]
