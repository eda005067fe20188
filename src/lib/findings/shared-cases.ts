import { type Case, defineCase, type Words } from './finding.ts'

// Cases that several findings share.

/** A text as the beginning of a sentence. */
export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** A wrong local clock makes correct dates look wrong, so the fix mentions the clock unless a host agrees with it. */
export const ifDatesAreCorrect = ({ clockProof }: Words): string =>
  clockProof || " If its dates are correct, synchronize this machine's clock (NTP)."

/** The certificate isn't valid yet. */
export const dateBegins = (whose: string, from: string, { clockProof }: Words): string =>
  clockProof === ''
    ? `Synchronize this machine's clock (NTP): the certificate of ${whose} is valid from ${from}. If the clock is correct, ask the operator of ${whose} to replace the certificate.`
    : `Ask the operator of ${whose} to replace its certificate, which is valid from ${from}.${clockProof}`

/** The login authority that the cloud publishes. */
export const setAuthority = defineCase(
  { needs: ['authorityToSet', 'authority'], sets: { field: 'authorityHost' }, value: 'authorityToSet' },
  ({ setting, authorityToSet, authority }) =>
    `Set ${setting} to ${authorityToSet}, which the cloud publishes. The current value is ${authority}.`,
)

/** The audience that the cloud publishes. */
export const setAudience = defineCase(
  { needs: ['audienceToSet', 'audience'], sets: { field: 'resourceManagerAudience' }, value: 'audienceToSet' },
  ({ setting, audienceToSet, audience }) =>
    `Set ${setting} to ${audienceToSet}, which the cloud publishes. The current value is ${audience}.`,
)

/** The audience of the resource manager was refused, and nothing says which one is right. */
export const setManagerAudience = defineCase(
  { is: { scopeOf: 'resource manager' }, sets: { field: 'resourceManagerAudience' } },
  ({ setting }) =>
    `Set ${setting} to the first audience in the metadata document: GET RESOURCE_MANAGER/metadata/endpoints?api-version=2015-01-01.`,
)

const setTo = ({
  setting,
  audienceToUse,
  counterpart,
}: Words & Readonly<Record<'audienceToUse' | 'counterpart', string>>) =>
  `Set ${setting} to ${audienceToUse}. ${counterpart}.`

/** The audience in the profile is left over from another cloud. */
export const setCounterpart = defineCase(
  { needs: ['audienceToUse', 'counterpart'], sets: { field: 'audience' }, value: 'audienceToUse' },
  setTo,
)

/** The refused scope is left over from another cloud, or has a wrong form. A setting is named only if the scope comes from it. */
export const useCounterpart: readonly Case[] = [
  defineCase(
    {
      needs: ['audienceToUse', 'counterpart'],
      is: { scopeOf: 'resource manager' },
      sets: { field: 'resourceManagerAudience' },
      value: 'audienceToUse',
    },
    (given) => setTo(given),
  ),
  defineCase({ needs: ['counterpart'], is: { scopeOf: 'service' } }, ({ counterpart }) => `${counterpart}.`),
]

/** Without a proxy, because NO_PROXY exempts the host. @param otherwise What to do if the host needs no proxy. */
export const removeExemption = (otherwise: (words: Words) => string, more: Pick<Case, 'blames'> = {}): Case =>
  defineCase(
    { ...more, needs: ['host', 'variable', 'noProxy', 'exemptingEntry'] },
    ({ host, variable, noProxy, exemptingEntry, ...words }) =>
      `If only the proxy of ${variable} reaches ${host}, remove ${exemptingEntry} from ${noProxy}. If not, ${otherwise(words)}`,
  )

/** The name resolves to an address that can't belong to the host. */
export const wrongAddress: readonly Case[] = [
  defineCase(
    {
      needs: ['host', 'address'],
      is: { addressKind: 'this machine' },
      cause: 'The name resolves to an address of this machine, but the host is another machine.',
    },
    ({ host, address }) =>
      `Correct the DNS record of ${host} (or its line in the hosts file of this machine): it resolves to ${address}, which is this machine and not the host.`,
  ),
  defineCase(
    { needs: ['host', 'address', 'sibling', 'siblingAddress'] },
    ({ host, address, sibling, siblingAddress }) =>
      `Add ${host} to the private DNS zone that this network uses: it resolves to the public address ${address}, but ${sibling} has the private address ${siblingAddress}.`,
  ),
]

const tenantsCloud = ({ maybe, unlessProven }: Words): string =>
  `PLATFORM_CLOUD=${maybe('platformCloud', '')} (the tenant belongs to ${maybe('tenantCloud', '')}${maybe('graphHost', ', Graph host ')})${unlessProven('tenantId', ', or correct ')}.`

/** The tenant's OpenID configuration names another cloud. */
export const tenantOfAnotherCloud: readonly Case[] = [
  defineCase(
    { needs: ['platformCloud', 'tenantCloud', 'profileFile'] },
    (words) => `Unset CUSTOM_CLOUD_PROFILE_PATH and set ${tenantsCloud(words)}`,
  ),
  defineCase(
    { needs: ['platformCloud', 'tenantCloud'], sets: 'PLATFORM_CLOUD', value: 'platformCloud' },
    (words) => `Set ${tenantsCloud(words)}`,
  ),
  defineCase(
    { needs: ['tenantCloud'] },
    ({ tenantCloud, maybe, unlessProven }) =>
      `Use a profile of ${tenantCloud}, which the tenant belongs to${maybe('graphHost', ' (Graph host ', ')')}${unlessProven('tenantId', ', or correct ')}.`,
  ),
]
