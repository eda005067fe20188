import type { Case } from './finding.ts'

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

/** The name resolves to an address that can't belong to the host. */
export const wrongAddress = [
  {
    cause: 'The name resolves to an address of this machine, but the host is another machine.',
    fix: '{addressKind=this machine} Correct the DNS record of {host} (or its line in the hosts file of this machine): it resolves to {address}, which is this machine and not the host.',
  },
  'Add {host} to the private DNS zone that this network uses: it resolves to the public address {address}, but {sibling} has the private address {siblingAddress}.',
] as const satisfies readonly (string | Case)[]

const tenantsCloud = '(the tenant belongs to {tenantCloud}[, Graph host {graphHost}])[, or correct {tenantId.setting}].'

/** The tenant's OpenID configuration names another cloud. */
export const tenantOfAnotherCloud = [
  `{profileFile.known} Unset CUSTOM_CLOUD_PROFILE_PATH and set PLATFORM_CLOUD={platformCloud} ${tenantsCloud}`,
  `Set {PLATFORM_CLOUD.change}={platformCloud.value} ${tenantsCloud}`,
  'Use a profile of {tenantCloud}, which the tenant belongs to[ (Graph host {graphHost})][, or correct {tenantId.setting}].',
] as const satisfies readonly (string | Case)[]
