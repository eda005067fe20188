import { clientCertificate, type ClientCertificatePlan } from './modes/client-certificate.ts'
import { clientSecret, type ClientSecretPlan } from './modes/client-secret.ts'
import { deviceCode, type DeviceCodePlan } from './modes/device-code.ts'
import { managedIdentity, type ManagedIdentityPlan } from './modes/managed-identity.ts'
import { platformCli, type PlatformCliPlan } from './modes/platform-cli.ts'
import { usernamePassword, type UsernamePasswordPlan } from './modes/username-password.ts'
import { workloadIdentity, type WorkloadIdentityPlan } from './modes/workload-identity.ts'

/** Every mode that is one credential, in the order of the default chain, which is that of the library's own chain. */
export const modes = {
  clientSecret,
  clientCertificate,
  usernamePassword,
  workloadIdentity,
  managedIdentity,
  platformCli,
  deviceCode,
} as const satisfies Readonly<Record<SinglePlan['mode'], unknown>>

/** The plan of one credential. Listed, because types derived from `modes` would require the types of the credential library. */
export type SinglePlan =
  | ClientCertificatePlan
  | ClientSecretPlan
  | DeviceCodePlan
  | ManagedIdentityPlan
  | PlatformCliPlan
  | UsernamePasswordPlan
  | WorkloadIdentityPlan
