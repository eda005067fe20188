import type { EgressPolicy } from '../transport/egress.ts'
import type { AuthMode } from './auth-mode.ts'
import type { Secret } from './secret.ts'

/** Where and as which tenant a credential signs in; what the seed's two settings come from. */
export interface Authority {
  /** As the credential library takes it: https, normalised, with a final slash unless the tenant is part of it. */
  readonly authorityHost: string
  readonly tenantId: string
  readonly disableInstanceDiscovery: boolean
}

interface BasePlan {
  /** The credential class of the library that this plan builds, or our own for the command-line tool. */
  readonly credential: string
  /** Hosts the credential may contact. */
  readonly egress: EgressPolicy
  /** Fields of the profile that still hold a placeholder. */
  readonly placeholders: readonly string[]
}

export interface ClientSecretPlan extends BasePlan {
  readonly mode: 'clientSecret'
  readonly authority: Authority
  readonly clientId: string
  readonly clientSecret: Secret
}

export interface ClientCertificatePlan extends BasePlan {
  readonly mode: 'clientCertificate'
  readonly authority: Authority
  readonly clientId: string
  /** PEM file with the certificate and its private key. */
  readonly certificatePath: string
  readonly certificatePassword?: Secret
}

export interface WorkloadIdentityPlan extends BasePlan {
  readonly mode: 'workloadIdentity'
  readonly authority: Authority
  readonly clientId: string
  readonly tokenFilePath: string
}

export interface DeviceCodePlan extends BasePlan {
  readonly mode: 'deviceCode'
  readonly authority: Authority
  readonly clientId: string
}

export interface UsernamePasswordPlan extends BasePlan {
  readonly mode: 'usernamePassword'
  readonly authority: Authority
  readonly clientId: string
  readonly username: string
  readonly password: Secret
}

/** Exempt from authority and instance discovery: it asks an endpoint of its host. */
export interface ManagedIdentityPlan extends BasePlan {
  readonly mode: 'managedIdentity'
  /** A user-assigned identity; absent for the system-assigned one. */
  readonly clientId?: string
}

/** Exempt as well: the tool uses the cloud that is registered in it. */
export interface PlatformCliPlan extends BasePlan {
  readonly mode: 'platformCli'
  /** What the tool gets of the environment; values may hold the password of a proxy. */
  readonly environment: Secret<Readonly<Record<string, string>>>
  readonly tenantId?: string
}

/** Tries each plan in turn until one is available. */
export interface DefaultPlan extends BasePlan {
  readonly mode: 'default'
  readonly chain: readonly Exclude<CredentialPlan, DefaultPlan | DeviceCodePlan>[]
}

/** What a credential will be built from. Pure data; secrets print as `[redacted]`. */
export type CredentialPlan =
  | ClientSecretPlan
  | ClientCertificatePlan
  | WorkloadIdentityPlan
  | DeviceCodePlan
  | UsernamePasswordPlan
  | ManagedIdentityPlan
  | PlatformCliPlan
  | DefaultPlan

/** The class each mode ends up with. */
export const credentialNames: Readonly<Record<AuthMode, string>> = {
  managedIdentity: 'ManagedIdentityCredential',
  workloadIdentity: 'WorkloadIdentityCredential',
  platformCli: 'CommandLineCredential',
  deviceCode: 'DeviceCodeCredential',
  clientSecret: 'ClientSecretCredential',
  clientCertificate: 'ClientCertificateCredential',
  usernamePassword: 'UsernamePasswordCredential',
  default: 'DefaultChainCredential',
}
