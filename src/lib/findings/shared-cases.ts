import { type Case, defineCase, type KnownFacts, type Words } from './finding.ts'

// Cases and parts of texts that several findings share.

/** A value between two texts. Empty if the value is unknown. */
export const maybe = (value: string | undefined, before: string, after = ''): string =>
  value === undefined ? '' : `${before}${value}${after}`

/** A text as the beginning of a sentence. */
export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The login authority that the cloud publishes. */
export const setAuthority = defineCase({
  needs: ['authorityToSet', 'authority'],
  sets: { field: 'authorityHost' },
  value: 'authorityToSet',
  fix: ({ setting, authorityToSet, authority }) =>
    `Set ${setting} to ${authorityToSet}, which the cloud publishes. The current value is ${authority}.`,
})

/** The audience that the cloud publishes. */
export const setAudience = defineCase({
  needs: ['audienceToSet', 'audience'],
  sets: { field: 'resourceManagerAudience' },
  value: 'audienceToSet',
  fix: ({ setting, audienceToSet, audience }) =>
    `Set ${setting} to ${audienceToSet}, which the cloud publishes. The current value is ${audience}.`,
})

/** Without a proxy, because NO_PROXY exempts the host. @param otherwise What to do if the host needs no proxy. */
export const removeExemption = (otherwise: (given: Words & KnownFacts) => string, more: Partial<Case> = {}): Case =>
  defineCase({
    ...more,
    needs: ['host', 'variable', 'noProxy', 'exemptingEntry'],
    shows: ['addressSetting'],
    fix: ({ variable, noProxy, exemptingEntry, ...given }) =>
      `If only the proxy of ${variable} reaches ${given.host}, remove ${exemptingEntry} from ${noProxy}. If not, ${otherwise(given)}`,
  })

/** The name resolves to an address that can't belong to the host. */
export const wrongAddress: readonly Case[] = [
  defineCase({
    needs: ['host', 'address'],
    is: { addressKind: 'this machine' },
    cause: 'The name resolves to an address of this machine, but the host is another machine.',
    fix: ({ host, address }) =>
      `Correct the DNS record of ${host} (or its line in the hosts file of this machine): it resolves to ${address}, which is this machine and not the host.`,
  }),
  defineCase({
    needs: ['host', 'address', 'sibling', 'siblingAddress'],
    fix: ({ host, address, sibling, siblingAddress }) =>
      `Add ${host} to the private DNS zone that this network uses: it resolves to the public address ${address}, but ${sibling} has the private address ${siblingAddress}.`,
  }),
]

/** The tenant's OpenID configuration names another cloud. */
export const tenantOfAnotherCloud: readonly Case[] = [
  defineCase({
    needs: ['platformCloud', 'tenantCloud', 'profileFile'],
    shows: ['graphHost'],
    fix: (given) => `Unset CUSTOM_CLOUD_PROFILE_PATH and set ${tenantsCloud(given)}`,
  }),
  defineCase({
    needs: ['platformCloud', 'tenantCloud'],
    shows: ['graphHost'],
    sets: 'PLATFORM_CLOUD',
    value: 'platformCloud',
    fix: (given) => `Set ${tenantsCloud(given)}`,
  }),
  defineCase({
    needs: ['tenantCloud'],
    shows: ['graphHost'],
    fix: ({ tenantCloud, graphHost, unlessProven }) =>
      `Use a profile of ${tenantCloud}, which the tenant belongs to${maybe(graphHost, ' (Graph host ', ')')}${unlessProven('tenantId', ', or correct ')}.`,
  }),
]

const tenantsCloud = ({ platformCloud, tenantCloud, graphHost, unlessProven }: Words & KnownFacts): string =>
  `PLATFORM_CLOUD=${platformCloud} (the tenant belongs to ${tenantCloud}${maybe(graphHost, ', Graph host ')})${unlessProven('tenantId', ', or correct ')}.`

/** The proof of the local clock. */
export const clockProof = ({ clock, clockOf }: Pick<KnownFacts, 'clock' | 'clockOf'>): string =>
  clock === 'agrees' ? ` The local clock is correct (it agrees with the clock of ${clockOf}).` : ''

/** The administrator of the tenant in use. */
export const administrator = ({ tenantId }: KnownFacts): string =>
  `Ask the administrator of ${tenantId === undefined ? 'the tenant' : `tenant ${tenantId}`}`
