import { knownCloudOfAuthority } from '../clouds/equal-values.ts'
import { servicesOf } from '../clouds/known-clouds.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'
import { placeholderFields } from '../profile/field-path.ts'
import { createEgressPolicy } from '../transport/egress.ts'
import type { CredentialValues } from '../settings/credential-values.ts'
import type { CredentialMode } from '../settings/setting-table.ts'
import {
  clientAssertion,
  type ClientAssertionPlan,
  clientCertificate,
  type ClientCertificatePlan,
  clientSecret,
  type ClientSecretPlan,
  onBehalfOf,
  type OnBehalfOfPlan,
  workloadIdentity,
  type WorkloadIdentityPlan,
} from './modes/application.ts'
import { managedIdentity, type ManagedIdentityPlan } from './modes/managed-identity.ts'
import { platformCli, type PlatformCliPlan } from './modes/platform-cli.ts'
import { deviceCode, type DeviceCodePlan, usernamePassword, type UsernamePasswordPlan } from './modes/user.ts'
import type { BasePlan } from './modes/mode.ts'

/** Every mode that is one credential, in the order of the default chain, as in the library's own chain. */
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
} as const satisfies Readonly<Record<SinglePlan['mode'], unknown>>

/** The plan of one credential. Listed, because types derived from `modes` would require the types of the credential library. */
export type SinglePlan =
  | ClientAssertionPlan
  | ClientCertificatePlan
  | ClientSecretPlan
  | DeviceCodePlan
  | ManagedIdentityPlan
  | OnBehalfOfPlan
  | PlatformCliPlan
  | UsernamePasswordPlan
  | WorkloadIdentityPlan

/** Tries each plan in turn until one is available. */
export interface DefaultPlan extends BasePlan {
  readonly mode: 'default'
  readonly chain: readonly SinglePlan[]
}

/** The values that a credential is built from. Pure data; secrets print as `[redacted]`. */
export type CredentialPlan = SinglePlan | DefaultPlan

/** The kind of credential of a mode. */
export function credentialOf(mode: CredentialMode): string {
  return mode === 'default' ? 'DefaultChainCredential' : modes[mode].credential
}

/**
 * Decides which credential this environment gets and from which values. Pure: nothing is read but its arguments.
 *
 * @throws {ServiceError} `CREDENTIAL_SETTING_MISSING` that names every missing variable of the mode in force, or
 *   `SETTING_INVALID` for a tenant that could change a URL.
 */
export function planCredential(profile: CloudProfile, settings: CredentialValues): CredentialPlan {
  const { authMode: mode, allowedTokenHosts, proxies } = settings
  const base: BasePlan = {
    credential: credentialOf(mode),
    profile: profile.name,
    cloud: knownCloudOfAuthority(profile.authorityHost)?.name,
    audiences: audiencesOf(profile),
    timeoutMs: settings.tokenTimeoutMs,
    placeholders: placeholderFields(profile),
    egress: createEgressPolicy({ AUTHORITY: [profile.authorityHost] }, allowedTokenHosts),
    proxies,
  }
  if (mode === 'default') return { ...base, mode, chain: planChain(profile, settings) }
  // The compiler cannot relate a mode's plan to its name.
  return { ...base, ...modes[mode].plan(profile, settings), mode } as SinglePlan
}

/** Every audience that the profile names. */
function audiencesOf(profile: CloudProfile): readonly string[] {
  const { resourceManagerAudience, serviceAudiences } = profile
  const services = Object.values(servicesOf(profile)).flatMap(({ audience }) => audience ?? [])
  return [resourceManagerAudience, ...Object.values(serviceAudiences), ...services]
}

/** The members of the default chain that the settings configure. */
function planChain(profile: CloudProfile, settings: CredentialValues): readonly SinglePlan[] {
  const configured = Object.entries(modes).filter(([, { configured }]) => configured?.(settings))
  return configured.map(
    ([authMode]) => planCredential(profile, { ...settings, authMode: authMode as keyof typeof modes }) as SinglePlan,
  )
}
