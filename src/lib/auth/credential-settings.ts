import type { Env } from '../base/env.ts'
import { Secret as HiddenText } from '../base/secret.ts'
import { nearestName } from '../base/names.ts'
import { showValue } from '../base/printable.ts'
import { InvalidSettingsError, ServiceError } from '../errors.ts'
import type { CredentialValues } from '../settings/credential-values.ts'
import { applicationModes, authModes, type CredentialMode } from '../settings/setting-table.ts'
import { readCredentialSettings, type GivenValues } from '../settings/settings.ts'

/** An application that signs in to the login authority of the profile. */
interface Application {
  /** Client (application) id. */
  readonly clientId: string
  /** Default is the tenant of the profile. */
  readonly tenantId?: string
  /** Hosts (`host` or `host:port`), besides the login authority, that may receive token requests. Default is none. */
  readonly allowedTokenHosts?: readonly string[]
}

export interface ManagedIdentitySettings {
  readonly mode: 'managedIdentity'
  /** Client id of a user-assigned identity. Default is the system-assigned identity. */
  readonly clientId?: string
}

export interface WorkloadIdentitySettings extends Application {
  readonly mode: 'workloadIdentity'
  /** Path of the federated token file. */
  readonly federatedTokenFile: string
}

export interface PlatformCliSettings {
  readonly mode: 'platformCli'
  /** Default is the tenant of the profile. */
  readonly tenantId?: string
}

export interface DeviceCodeSettings extends Application {
  readonly mode: 'deviceCode'
}

type None<K extends string> = { readonly [P in K]?: never }
type Text<K extends string> = { readonly [P in K]: string }
/** A secret, or the path of its file, which is read again when it changes. */
type Secret<K extends string> = (Text<K> & None<`${K}Path`>) | (Text<`${K}Path`> & None<K>)
type OptionalSecret<K extends string> = Secret<K> | None<K | `${K}Path`>

interface Certificate {
  /** Path of a PEM file with the certificate and its private key. Its password is optional. */
  readonly clientCertificatePath: string
}

export type ClientSecretSettings = Application & { readonly mode: 'clientSecret' } & Secret<'clientSecret'>

export type ClientCertificateSettings = Application &
  Certificate & { readonly mode: 'clientCertificate' } & OptionalSecret<'clientCertificatePassword'>

export type UsernamePasswordSettings = Application & {
  readonly mode: 'usernamePassword'
  readonly username: string
} & Secret<'password'>

/** A client assertion (RFC 7523) that the application signs or fetches itself. */
export interface ClientAssertionSettings extends Application {
  readonly mode: 'clientAssertion'
  /** Called for each token request. */
  readonly getAssertion: () => Promise<string>
}

type ClientProof =
  | (Secret<'clientSecret'> & None<'clientCertificatePath' | 'federatedTokenFile' | 'getAssertion'>)
  | (Certificate &
      OptionalSecret<'clientCertificatePassword'> &
      None<'clientSecret' | 'clientSecretPath' | 'federatedTokenFile' | 'getAssertion'>)
  | (Text<'federatedTokenFile'> & None<'clientSecret' | 'clientSecretPath' | 'clientCertificatePath' | 'getAssertion'>)
  | (Pick<ClientAssertionSettings, 'getAssertion'> &
      None<'clientSecret' | 'clientSecretPath' | 'clientCertificatePath' | 'federatedTokenFile'>)

/** On behalf of a user: one credential for each token that a user sent to this application. */
export type OnBehalfOfSettings = Application & {
  readonly mode: 'onBehalfOf'
  /** The access token of the user, whose audience is this application. */
  readonly userAssertion: string
} & ClientProof

/** The default chain: tries each mode whose settings are complete. */
export type DefaultChainSettings = { readonly mode: 'default' } & Partial<
  Application & Certificate & Text<'federatedTokenFile' | 'username'>
> &
  OptionalSecret<'clientSecret'> &
  OptionalSecret<'clientCertificatePassword'> &
  OptionalSecret<'password'>

/** The settings of a credential, one shape per mode. */
export type CredentialSettings =
  | ManagedIdentitySettings
  | WorkloadIdentitySettings
  | PlatformCliSettings
  | DeviceCodeSettings
  | ClientSecretSettings
  | ClientCertificateSettings
  | UsernamePasswordSettings
  | DefaultChainSettings
  | ClientAssertionSettings
  | OnBehalfOfSettings

type KeysOf<S> = { readonly [K in Exclude<keyof S, 'mode'>]-?: 'optional' | 'required' }

const application = { clientId: 'required', tenantId: 'optional', allowedTokenHosts: 'optional' } as const

/** A secret and the path of its file. */
const clientSecret = { clientSecret: 'optional', clientSecretPath: 'optional' } as const
const password = { password: 'optional', passwordPath: 'optional' } as const
const certificatePassword = {
  clientCertificatePassword: 'optional',
  clientCertificatePasswordPath: 'optional',
} as const

/** The keys of each mode. A file stands for a secret that is required. The compiler holds the names to the types above. */
const keys: { readonly [M in CredentialMode]: KeysOf<Extract<CredentialSettings, { mode: M }>> } = {
  managedIdentity: { clientId: 'optional' },
  workloadIdentity: { ...application, federatedTokenFile: 'required' },
  platformCli: { tenantId: 'optional' },
  deviceCode: application,
  clientSecret: { ...application, ...clientSecret, clientSecret: 'required' },
  clientCertificate: { ...application, clientCertificatePath: 'required', ...certificatePassword },
  usernamePassword: { ...application, username: 'required', ...password, password: 'required' },
  default: {
    ...application,
    clientId: 'optional',
    federatedTokenFile: 'optional',
    ...clientSecret,
    clientCertificatePath: 'optional',
    ...certificatePassword,
    username: 'optional',
    ...password,
  },
  clientAssertion: { ...application, getAssertion: 'required' },
  onBehalfOf: {
    ...application,
    userAssertion: 'required',
    ...clientSecret,
    clientCertificatePath: 'optional',
    ...certificatePassword,
    federatedTokenFile: 'optional',
    getAssertion: 'optional',
  },
}

/** What proves the identity of the application, of which one is needed. */
const proofs = ['clientSecret', 'clientSecretPath', 'clientCertificatePath', 'federatedTokenFile', 'getAssertion']

/** Whether a caller passed typed settings, not environment variables. `authMode` is a frequent mistake for `mode`. */
export function isCredentialSettings(from: Env | CredentialSettings): from is CredentialSettings {
  return 'mode' in from || 'authMode' in from
}

/**
 * The values of typed settings, checked by the same rows as environment variables. Proxies, identity endpoints and the deadline come from
 * `env`, its credential variables do not.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` that names each missing, unknown or invalid key; `REFERENCE_UNRESOLVED` for a value that a
 * deployment tool should have replaced.
 */
export function readTypedSettings(settings: CredentialSettings, env: Env): CredentialValues {
  const { mode, ...values } = settings as { readonly mode?: unknown } & Readonly<Record<string, unknown>>
  const modes: readonly unknown[] = [...authModes, ...applicationModes]
  if (!modes.includes(mode)) {
    const hint = mode === undefined && 'authMode' in values ? 'authMode is unknown; did you mean mode? ' : ''
    throw invalid([`${hint}mode must be one of ${modes.join(', ')}, but is ${showValue(mode)}`])
  }
  const authMode = mode as CredentialMode
  const known: Readonly<Record<string, 'required' | 'optional'>> = keys[authMode]
  const isSet = (key: string) => values[key] !== undefined
  const problems = [
    ...Object.keys(known).flatMap((key) => problemOfPresence(key, known, isSet)),
    ...Object.keys(values).flatMap((key) => problemOf(key, values[key], known)),
    ...(authMode === 'onBehalfOf' ? problemOfProofs(proofs.filter(isSet)) : []),
  ]
  if (problems.length > 0) throw invalid(problems, authMode)
  const { userAssertion, getAssertion, ...given } = values as GivenValues & ApplicationValues
  // The table knows the modes of an environment alone.
  const tableMode = (authModes as readonly string[]).includes(authMode) ? authMode : 'clientSecret'
  try {
    return {
      ...readCredentialSettings(env, { ...given, authMode: tableMode }),
      authMode,
      ...(userAssertion === undefined ? {} : { userAssertion: new HiddenText(userAssertion) }),
      ...(getAssertion && { getAssertion }),
    }
  } catch (error) {
    if (!(error instanceof InvalidSettingsError) || error.code !== 'SETTING_INVALID') throw error
    throw invalid(
      error.problems.map(({ message }) => message),
      authMode,
    )
  }
}

interface ApplicationValues {
  readonly userAssertion?: string
  readonly getAssertion?: () => Promise<string>
}

function problemOfProofs(set: readonly string[]): string[] {
  if (set.length === 0) return [`one of ${proofs.join(', ')} is missing`]
  return set.length === 1 ? [] : [`${set.join(' and ')} are set: keep one`]
}

function problemOfPresence(
  key: string,
  known: Readonly<Record<string, 'required' | 'optional'>>,
  isSet: (key: string) => boolean,
): string[] {
  const path = `${key}Path`
  if (isSet(key) && isSet(path)) return [`${key} and ${path} are both set: remove one of them`]
  if (known[key] !== 'required' || isSet(key) || isSet(path)) return []
  return [`${key} is missing${path in known ? ` (or ${path})` : ''}`]
}

/** Whether the value has the type that a row can check. */
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

function invalid(problems: readonly string[], mode?: CredentialMode): ServiceError {
  const subject = mode === undefined ? 'Invalid credential settings' : `Invalid credential settings of mode ${mode}`
  return new ServiceError('ARGUMENT_INVALID', `${subject}: ${problems.join(', ')}`)
}
