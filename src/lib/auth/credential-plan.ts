import { ownCopy } from '../base/json.ts'
import { placeholderFields } from '../profile/field-path.ts'
import {
  sharedTenants,
  type ProfileOrCloud,
  type ResolvedCloud,
  resolveProvider,
} from '../profile/identity-provider.ts'
import { namedTenant } from '../settings/credential-values.ts'
import { showValue } from '../base/printable.ts'
import { ServiceError } from '../errors.ts'
import { createEgressPolicy } from '../transport/egress.ts'
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
import type { BasePlan, Mode, ModeValues, Variables } from './modes/mode.ts'
import { deviceCode, type DeviceCodeSettings, usernamePassword, type UsernamePasswordSettings } from './modes/person.ts'
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

/** `onBehalfOf` is a method of a cloud, and no settings select it. */
export type CredentialMode = CredentialSettings['mode'] | 'onBehalfOf'

/** The plan of one credential. */
export type SinglePlan = Parameters<(typeof modes)[keyof typeof modes]['build']>[0]

/** A mode by its name. The cast is needed, because the compiler can't relate the plan of a mode to its name. */
export const modeOf = (name: keyof typeof modes) =>
  ownCopy(modes[name] as unknown as Mode<{ readonly mode: string }, unknown, SinglePlan>)

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
  | PlatformCliSettings
  | DeviceCodeSettings
  | ApplicationSettings
  | UsernamePasswordSettings
  | DefaultChainSettings

/** Tries each plan in turn until one is available. */
export interface DefaultPlan extends BasePlan {
  readonly mode: 'default'
  readonly chain: readonly SinglePlan[]
}

/** Everything that a credential is built from: pure data. Secrets print as `[redacted]`. */
export type CredentialPlan = SinglePlan | DefaultPlan

/** The kind of credential of a mode. */
export function credentialOf(mode: CredentialMode): string {
  return mode === 'default' ? 'DefaultChainCredential' : modes[mode].credential
}

/**
 * Decides which credential to use, and from which values. Pure: it reads nothing but its arguments.
 *
 * @throws {ServiceError} `CREDENTIAL_SETTING_MISSING` that names every missing variable of the mode in force, or
 *   `SETTING_INVALID` for a tenant that could change a URL.
 */
export function planCredential(given: ProfileOrCloud, values: PlanValues): CredentialPlan {
  const settings = ownCopy(values)
  const cloud = resolveProvider(given, namedTenant(settings))
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
  if (mode === 'default') return ownCopy({ ...base, mode, chain: planChain(cloud, settings) })
  const { plan, isApplication } = modeOf(mode)
  const own = ownCopy({ ...base, ...plan(cloud, settings), mode } as SinglePlan)
  if (isApplication === true && 'authority' in own) refuseSharedTenant(own.authority.tenantId, mode)
  return own
}

/** An application can't sign in to a shared tenant. The credential library refuses these names without a reason. */
function refuseSharedTenant(tenantId: string, mode: string): void {
  if (!sharedTenants.includes(tenantId.toLowerCase())) return
  const rule = `must be the GUID or a domain name of one tenant with AUTH_MODE=${mode}`
  throw new ServiceError('SETTING_INVALID', `The tenant ${rule}, but is ${showValue(tenantId)}`, {
    evidence: { sharedTenant: tenantId },
  })
}

/**
 * The credential as variables for other credential libraries (`EnvironmentCredential`, `WorkloadIdentityCredential`) and Terraform's provider.
 *
 * @throws {ServiceError} `CREDENTIAL_FILE_UNREADABLE`
 */
export async function credentialVariables(plan: CredentialPlan): Promise<Variables> {
  if (plan.mode !== 'default') return (await modeOf(plan.mode).variables?.(plan)) ?? {}
  // Those libraries try their variables in the same order.
  const members = await Promise.all(plan.chain.map(credentialVariables))
  return Object.assign({}, ...members.toReversed()) as Variables
}

/** The members of the default chain that the settings configure. */
function planChain(cloud: ResolvedCloud, settings: PlanValues): readonly SinglePlan[] {
  const configured = Object.entries(modes).filter(([, { configured }]) => configured?.(settings))
  return configured.map(
    ([authMode]) => planCredential(cloud, { ...settings, authMode: authMode as keyof typeof modes }) as SinglePlan,
  )
}
