import { clientCertificate, type ClientCertificatePlan } from './modes/client-certificate.ts'
import { clientSecret, type ClientSecretPlan } from './modes/client-secret.ts'
import { deviceCode, type DeviceCodePlan } from './modes/device-code.ts'
import { managedIdentity, type ManagedIdentityPlan } from './modes/managed-identity.ts'
import { platformCli, type PlatformCliPlan } from './modes/platform-cli.ts'
import { usernamePassword, type UsernamePasswordPlan } from './modes/username-password.ts'
import { workloadIdentity, type WorkloadIdentityPlan } from './modes/workload-identity.ts'

/**
 * How a workload proves who it is: the values of AUTH_MODE, in the order of the documents. `default` is the chain of those that the
 * environment configures.
 */
export const authModes = [
  'managedIdentity',
  'workloadIdentity',
  'platformCli',
  'deviceCode',
  'clientSecret',
  'clientCertificate',
  'usernamePassword',
  'default',
] as const

export type AuthMode = (typeof authModes)[number]

/** Every mode that is one credential. The default chain tries its members in this order, which is that of the library's own. */
export const modes = {
  clientSecret,
  clientCertificate,
  usernamePassword,
  workloadIdentity,
  managedIdentity,
  platformCli,
  deviceCode,
} as const satisfies Readonly<Record<SinglePlan['mode'], unknown>>

/**
 * What one credential will be built from. Named one by one, and held to the table above: derived from it, the types of
 * the library would bring those of the credential library along, which an application need not have.
 */
export type SinglePlan =
  | ClientCertificatePlan
  | ClientSecretPlan
  | DeviceCodePlan
  | ManagedIdentityPlan
  | PlatformCliPlan
  | UsernamePasswordPlan
  | WorkloadIdentityPlan
