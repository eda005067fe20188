import { ownCopy } from '../base/json.ts'
import { placeholderFields } from '../profile/field-path.ts'
import { sharedTenants } from '../profile/identity-provider.ts'
import { type ProfileOrCloud, type ResolvedCloud, resolveProvider } from '../profile/resolved-cloud.ts'
import { namedTenant } from '../settings/credential-values.ts'
import { showValue } from '../base/printable.ts'
import { ServiceError } from '../errors.ts'
import { createEgressPolicy } from '../transport/egress.ts'
import { type CredentialMode, modeOf, modes, type PlanValues, type SinglePlan } from './modes/modes.ts'
import type { BasePlan, Variables } from './modes/mode.ts'

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
