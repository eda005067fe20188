import { ownCopy } from '../../base/json.ts'
import type { Application, OptionalSecret } from './application.ts'
import { clientAssertion, type ClientAssertionSettings } from './client-assertion.ts'
import { clientCertificate, type ClientCertificateSettings } from './client-certificate.ts'
import { clientSecret, type ClientSecretSettings } from './client-secret.ts'
import { deviceCode, type DeviceCodeSettings } from './device-code.ts'
import { managedIdentity, type ManagedIdentitySettings } from './managed-identity.ts'
import type { Mode, ModeValues } from './mode.ts'
import { onBehalfOf } from './on-behalf-of.ts'
import { platformCli, type PlatformCliSettings } from './platform-cli.ts'
import { usernamePassword, type UsernamePasswordSettings } from './username-password.ts'
import { workloadIdentity, type WorkloadIdentitySettings } from './workload-identity.ts'

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

/** `onBehalfOf` is a method of a cloud, and no settings select it. */
export type CredentialMode = CredentialSettings['mode'] | 'onBehalfOf'

/** The plan of one credential. */
export type SinglePlan = Parameters<(typeof modes)[keyof typeof modes]['build']>[0]

/** A mode by its name. The cast is needed, because the compiler can't relate the plan of a mode to its name. */
export const modeOf = (name: keyof typeof modes) =>
  ownCopy(modes[name] as unknown as Mode<{ readonly mode: string }, SinglePlan>)

/** The values of a plan, with its mode. */
export type PlanValues = Omit<ModeValues, 'authMode'> & { readonly authMode: CredentialMode }

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
  | WorkloadIdentitySettings
  | PlatformCliSettings
  | DeviceCodeSettings
  | ClientSecretSettings
  | ClientCertificateSettings
  | UsernamePasswordSettings
  | DefaultChainSettings
  | ClientAssertionSettings

/** The settings by which an application proves its identity. */
export type ApplicationSettings =
  | ClientSecretSettings
  | ClientCertificateSettings
  | WorkloadIdentitySettings
  | ClientAssertionSettings
