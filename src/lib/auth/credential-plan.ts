import type { CloudProfile } from '../profile/cloud-profile.ts'
import { placeholderFields } from '../profile/placeholders.ts'
import { createEgressPolicy } from '../transport/egress.ts'
import type { CredentialValues } from '../settings/credential-values.ts'
import type { AuthMode } from '../settings/setting-table.ts'
import { modes, type SinglePlan } from './modes.ts'
import type { BasePlan } from './modes/mode.ts'

/** Tries each plan in turn until one is available. */
export interface DefaultPlan extends BasePlan {
  readonly mode: 'default'
  readonly chain: readonly SinglePlan[]
}

/** The values that a credential is built from. Pure data; secrets print as `[redacted]`. */
export type CredentialPlan = SinglePlan | DefaultPlan

/** The kind of credential of a mode. */
export function credentialOf(mode: AuthMode): string {
  return mode === 'default' ? 'DefaultChainCredential' : modes[mode].credential
}

/**
 * Decides which credential this environment gets and from which values. Pure: nothing is read but its arguments.
 *
 * @throws {ServiceError} `CREDENTIAL_SETTING_MISSING` that names every missing variable of the mode in force, or
 *   `SETTING_INVALID` for a tenant that could change a URL.
 */
export function createCredentialPlan(profile: CloudProfile, settings: CredentialValues): CredentialPlan {
  const { authMode: mode, allowedTokenHosts, proxies } = settings
  const base: BasePlan = {
    credential: credentialOf(mode),
    profile: profile.name,
    timeoutMs: settings.tokenTimeoutMs,
    placeholders: placeholderFields(profile),
    egress: createEgressPolicy({ AUTHORITY: [profile.authorityHost] }, allowedTokenHosts),
    proxies,
  }
  if (mode === 'default') return { ...base, mode, chain: planChain(profile, settings) }
  // The compiler cannot relate a mode's plan to its name.
  return { ...base, ...modes[mode].plan(profile, settings), mode } as SinglePlan
}

/** The members of the default chain that the settings configure. */
function planChain(profile: CloudProfile, settings: CredentialValues): readonly SinglePlan[] {
  const configured = Object.entries(modes).filter(([, { configured }]) => configured?.(settings))
  return configured.map(
    ([authMode]) =>
      createCredentialPlan(profile, { ...settings, authMode: authMode as keyof typeof modes }) as SinglePlan,
  )
}
