import type { Env } from '../base/env.ts'
import { isObject, ownCopy, withoutUndefined } from '../base/json.ts'
import { nearestName } from '../base/names.ts'
import { showValue } from '../base/printable.ts'
import { argumentError, InvalidSettingsError, mustBe, type ServiceError } from '../errors.ts'
import { placeholderFields } from '../profile/field-path.ts'
import { type ProfileOrCloud, resolveProvider } from '../profile/identity-provider.ts'
import { workloadOf } from '../settings/credential-values.ts'
import { authModes } from '../settings/setting-table.ts'
import { type GivenValues, readCredentialSettings, readGivenSettings } from '../settings/settings.ts'
import { createEgressPolicy } from '../transport/egress.ts'
import type { CertificateProof } from './client-certificate.ts'
import { readCredentialFile, readSecret, type SecretSource, type SettingFile } from './credential-file.ts'
import {
  type Application,
  type ApplicationSettings,
  clientAssertion,
  clientCertificate,
  clientSecret,
  onBehalfOf,
  type OptionalSecret,
  workloadIdentity,
} from './modes/application.ts'
import { managedIdentity, type ManagedIdentitySettings } from './modes/managed-identity.ts'
import type { BasePlan, CredentialMode, Mode, ModeValues } from './modes/mode.ts'
import {
  deviceCode,
  type DeviceCodeSettings,
  type UserSignIn,
  usernamePassword,
  type UsernamePasswordSettings,
} from './modes/person.ts'
import { platformCli, type PlatformCliSettings } from './modes/platform-cli.ts'

/** Every mode with one credential, in the order of the default chain. The library's chain has the same order. */
export const modes = {
  clientSecret,
  clientCertificate,
  usernamePassword,
  workloadIdentity,
  managedIdentity,
  platformCli,
  deviceCode,
  clientAssertion,
  onBehalfOf,
} as const satisfies Readonly<Record<Exclude<CredentialMode, 'default'>, unknown>>

/** The plan of one credential. */
export type SinglePlan = Parameters<(typeof modes)[keyof typeof modes]['build']>[0]

/** A mode by its name. The cast is needed, because the compiler can't relate the plan of a mode to its name. */
export const modeOf = (name: keyof typeof modes) =>
  ownCopy(modes[name] as unknown as Mode<{ readonly mode: string }, unknown, SinglePlan>)

/** The default chain: tries each mode that has complete settings. */
export type DefaultChainSettings = {
  readonly mode: 'default'
  readonly clientId?: string | undefined
  readonly federatedTokenFile?: string | undefined
  readonly clientCertificatePath?: string | undefined
  readonly username?: string | undefined
} & Omit<Application, 'clientId'> &
  OptionalSecret<'clientSecret'> &
  OptionalSecret<'clientCertificatePassword'> &
  OptionalSecret<'password'>

/** The settings of a credential, one shape per mode. */
export type CredentialSettings =
  | ManagedIdentitySettings
  | PlatformCliSettings
  | DeviceCodeSettings
  | ApplicationSettings
  | UsernamePasswordSettings
  | DefaultChainSettings

/** Everything that a credential is built from: pure data. The default chain tries each plan in turn until one is available. */
export type CredentialPlan =
  | SinglePlan
  | (BasePlan & { readonly mode: 'default'; readonly chain: readonly SinglePlan[] })

/** The kind of credential of a mode. */
export function credentialOf(mode: CredentialMode): string {
  return mode === 'default' ? 'DefaultChainCredential' : modes[mode].credential
}

/**
 * Decides which credential to use, and from which values. Reads nothing but its arguments.
 *
 * @throws {ServiceError} `CREDENTIAL_SETTING_MISSING` that names every missing variable, or `SETTING_INVALID` for a tenant that could change a URL.
 */
export function planCredential(given: ProfileOrCloud, values: ModeValues): CredentialPlan {
  const settings = withInjected(values)
  const cloud = resolveProvider(given, settings.tenantId)
  const { profile } = cloud
  const { authMode: mode, allowedTokenHosts, proxies } = settings
  const base: BasePlan = {
    credential: credentialOf(mode),
    profile: profile.name,
    cloud: profile,
    timeoutMs: settings.tokenTimeoutMs,
    ...(settings.areOptions === true && { areOptions: true }),
    placeholders: placeholderFields(profile),
    egress: createEgressPolicy({ AUTHORITY: [profile.authorityHost] }, allowedTokenHosts),
    proxies,
  }
  if (mode !== 'default') return ownCopy({ ...base, ...modeOf(mode).plan(cloud, settings), mode } as SinglePlan)
  const chain = (Object.keys(modes) as SinglePlan['mode'][]).flatMap((authMode) => {
    const member = withInjected({ ...settings, authMode })
    return modeOf(authMode).configured?.(member) === true ? (planCredential(cloud, member) as SinglePlan) : []
  })
  return ownCopy({ ...base, mode, chain })
}

/** Adds the values that a cluster injects for a federated workload. */
const withInjected = (values: ModeValues): ModeValues =>
  ownCopy(values.authMode === 'workloadIdentity' ? { ...values, ...workloadOf(values) } : values)

/** The parts of all plans that other programs know. */
type KnownParts = Partial<
  UserSignIn & CertificateProof & { clientSecret: SecretSource; tenantId: string; tokenFile: SettingFile }
>

/** The credential as variables for other credential libraries and Terraform's provider. @throws {ServiceError} `CREDENTIAL_FILE_UNREADABLE` */
export async function credentialVariables(plan: CredentialPlan): Promise<Readonly<Record<string, string>>> {
  if (plan.mode === 'default') {
    // Those libraries try their variables in the same order.
    const members = await Promise.all(plan.chain.map(credentialVariables))
    return Object.assign({}, ...members.toReversed()) as Readonly<Record<string, string>>
  }
  const { authority, clientId, tokenFile, certificateFile, username, ...rest }: KnownParts = plan
  const { tenantId = authority?.tenantId, ...secrets } = rest
  for (const file of [tokenFile, certificateFile]) if (file !== undefined) await readCredentialFile(file)
  const valueOf = async (source: SecretSource | undefined) => source && readSecret(source)
  const secret = await valueOf(secrets.clientSecret)
  return withoutUndefined({
    AZURE_TENANT_ID: tenantId,
    ARM_TENANT_ID: tenantId,
    AZURE_CLIENT_ID: clientId,
    ARM_CLIENT_ID: clientId,
    AZURE_CLIENT_SECRET: secret,
    ARM_CLIENT_SECRET: secret,
    // Terraform's provider reads only PKCS #12.
    AZURE_CLIENT_CERTIFICATE_PATH: certificateFile?.path,
    AZURE_CLIENT_CERTIFICATE_PASSWORD: await valueOf(secrets.certificatePassword),
    AZURE_FEDERATED_TOKEN_FILE: tokenFile?.path,
    ARM_USE_OIDC: tokenFile && 'true',
    ARM_OIDC_TOKEN_FILE_PATH: tokenFile?.path,
    AZURE_USERNAME: username,
    AZURE_PASSWORD: await valueOf(secrets.password),
    ARM_USE_MSI: plan.mode === 'managedIdentity' ? 'true' : undefined,
  })
}

type Keys = Readonly<Record<string, 'required' | 'optional'>>

/** The keys of a mode. The default chain takes the keys of its members, each optional. */
function keysOf(mode: CredentialMode): Keys {
  if (mode !== 'default') return modes[mode].keys
  const keys = Object.values(modes).flatMap((member) => (member.configured ? Object.keys(member.keys) : []))
  return Object.fromEntries(keys.map((key) => [key, 'optional']))
}

/** Whether a caller passed typed settings, not environment variables. Callers often write `authMode` instead of `mode`. */
export function isCredentialSettings(from: Env | CredentialSettings): from is CredentialSettings {
  return isObject(from) && ['mode', 'authMode'].some((key) => Object.hasOwn(from, key))
}

/** The values of environment variables or typed settings. @throws As {@link readOptions} and {@link readCredentialSettings}. */
export function readPlanValues(from: Env | CredentialSettings, env: Env): ModeValues {
  return isCredentialSettings(from) ? readOptions(from, env) : readCredentialSettings(from)
}

/**
 * The values of typed settings, checked by the same table as environment variables. Proxies, identity endpoints and the deadline come from `env`.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` that names each missing, unknown or invalid key; `REFERENCE_UNRESOLVED`.
 */
export function readOptions(settings: CredentialSettings, env: Env): ModeValues {
  const { mode, ...others } = ownCopy(settings) as { readonly mode?: unknown } & Readonly<Record<string, unknown>>
  const values = ownCopy(others)
  const names = [...authModes, 'clientAssertion'] as const
  const authMode = names.find((name) => name === mode)
  if (authMode === undefined) {
    const nearest = typeof mode === 'string' ? nearestName(mode, names) : undefined
    const { message, fix } = mustBe('mode', `one of ${names.join(', ')}`, showValue(mode), nearest)
    const text = mode === 'onBehalfOf' ? 'Call the method onBehalfOf of a cloud.' : fix
    const hint =
      mode === undefined && Object.hasOwn(values, 'authMode') ? 'authMode is unknown; did you mean mode? ' : ''
    throw argumentError({ message: `Invalid credential settings: ${hint}${message}`, fix: text })
  }
  const invalid = (all: readonly string[]) => {
    const message = `Invalid credential settings of mode ${authMode}: ${all.join(', ')}`
    return argumentError({ message, fix: 'Correct the settings that the message names.' })
  }
  const known = keysOf(authMode)
  const isSet = (key: string) => values[key] !== undefined
  const problemOfPresence = (key: string) => {
    const path = `${key}Path`
    if (isSet(key) && isSet(path)) return [`${key} and ${path} are both set: remove one of them`]
    if (known[key] !== 'required' || isSet(key) || isSet(path)) return []
    return [`${key} is missing${Object.hasOwn(known, path) ? ` (or ${path})` : ''}`]
  }
  const problems = [
    ...Object.keys(known).flatMap(problemOfPresence),
    ...Object.keys(values).flatMap((key) => problemOf(key, values[key], known)),
  ]
  if (problems.length > 0) throw invalid(problems)
  const { getAssertion, ...given } = values as GivenValues & { readonly getAssertion?: () => Promise<string> }
  try {
    return ownCopy({
      ...readGivenSettings({ ...given, authMode }, env),
      authMode,
      areOptions: true,
      ...(getAssertion && { getAssertion }),
    })
  } catch (error) {
    if (!(error instanceof InvalidSettingsError) || error.code !== 'SETTING_INVALID') throw error
    throw invalid(error.problems.map(({ message }) => message))
  }
}

/** The problem of a value that has the wrong type. */
function problemOf(key: string, value: unknown, known: Readonly<Record<string, unknown>>): string[] {
  if (!Object.hasOwn(known, key)) {
    const nearest = nearestName(key, Object.keys(known))
    return [`${key} is unknown${nearest === undefined ? '' : `; did you mean ${nearest}?`}`]
  }
  if (value === undefined) return []
  if (key === 'allowedTokenHosts') {
    return Array.isArray(value) && value.every(isText) ? [] : ['allowedTokenHosts must be an array of hosts']
  }
  if (key === 'getAssertion') return typeof value === 'function' ? [] : ['getAssertion must be a function']
  return isText(value) ? [] : [`${key} must be a text that is not blank`]
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

/** Refuses settings without their mode, which would count as environment variables and select another credential. */
export function refuseSettingsWithoutMode(name: string, given: Env | CredentialSettings): void {
  const isKey = (key: string) => Object.values(modes).some(({ keys }) => Object.hasOwn(keys, key))
  if (isCredentialSettings(given) || !Object.keys(given).some(isKey)) return
  throw withoutMode(name, 'be environment variables')
}

/** @param otherwise What an object without a mode must do. */
export function withoutMode(name: string, otherwise: string): ServiceError {
  const message = `${name} must have a mode (such as clientSecret), or ${otherwise}`
  return argumentError({ message, fix: `Add the mode to ${name}, such as { mode: 'clientSecret', … }.` })
}
