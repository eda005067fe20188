// Cases and parts of texts that several findings share.

/** Ends a fix outside of the profile: the address to correct, or the proof that it is correct. */
export const orCorrect = '[, or correct {address.setting}.|.{address.proof}|.]'

/** A wrong local clock makes correct dates look wrong, so the fix mentions the clock unless a host agrees with it. */
export const ifDatesAreCorrect = "[{clockProof}| If its dates are correct, synchronize this machine's clock (NTP).]"

/** Begins the fix for a host without a proxy, because NO_PROXY exempts it. What to do if the host needs no proxy follows. */
export const unlessExempt =
  'If only the proxy of {variable} reaches {host}, remove {exemptingEntry} from {noProxy}. If not, '

/** The login authority that the cloud publishes. */
export const setAuthority =
  'Set {authorityHost.change} to {authorityToSet.value}, which the cloud publishes. The current value is {authority}.'

/** The audience that the cloud publishes. */
export const setAudience =
  'Set {resourceManagerAudience.change} to {audienceToSet.value}, which the cloud publishes. The current value is {audience}.'

/** The audience in the profile is left over from another cloud. */
export const setCounterpart = 'Set {audience.change} to {audienceToUse.value}. {counterpart}.'

const tenantsCloud = '(the tenant belongs to {tenantCloud}[, Graph host {graphHost}])[, or correct {tenantId.setting}].'

/** The tenant's OpenID configuration names another cloud. */
export const tenantOfAnotherCloud = [
  `{file.known} Unset CUSTOM_CLOUD_PROFILE_PATH and set PLATFORM_CLOUD={platformCloud} ${tenantsCloud}`,
  `Set {PLATFORM_CLOUD.change}={platformCloud.value} ${tenantsCloud}`,
  'Use a profile of {tenantCloud}, which the tenant belongs to[ (Graph host {graphHost})][, or correct {tenantId.setting}].',
] as const
