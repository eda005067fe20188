import { equalUrls } from '../base/address.ts'
import { knownClouds } from '../clouds/known-clouds.ts'
import { knownCloudOf, resourceManagerAudiencesOf } from '../clouds/equal-values.ts'
import { ownersIn } from '../clouds/owner-of.ts'
import { ServiceError } from '../errors.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { showValue } from '../base/printable.ts'
import { discoveredAudience, type CloudMetadata } from './cloud-metadata.ts'

/**
 * The discovered audience, if a token for it may be requested and sent to the resource manager of this profile. Metadata comes from the
 * network, so it must not be able to obtain a token for other data.
 *
 * @throws {ServiceError} `METADATA_INVALID` that names the audience and the allowed ones.
 */
export function allowedAudience(profile: CloudProfile, metadata: CloudMetadata): string {
  const audience = discoveredAudience(metadata)
  if (isAllowedAudience(profile, audience)) return audience
  throw new ServiceError(
    'METADATA_INVALID',
    `The metadata document names the audience ${showValue(audience)}, which does not belong to the resource manager of this profile: it is neither the audience of the profile, nor an identifier of its host, nor of the form https://management.<domain>/; no token is requested`,
  )
}

/**
 * The allowed audiences: the profile's own; an identifier of the resource manager's host; that of a known cloud, in its own profile; or an
 * https identifier whose host begins with `management.`, which is how a stack generates its audience. Never a host that belongs to a
 * service, nor anything below the domain of another known cloud.
 */
export function isAllowedAudience(profile: CloudProfile, audience: string): boolean {
  const { resourceManagerAudience, serviceAudiences, serviceDnsSuffixes } = profile
  const same = (other: string) => equalUrls(other, audience)
  if (same(resourceManagerAudience) || same(serviceAudiences.arm)) return true
  if (same(serviceAudiences.storage) || same(serviceAudiences.keyVault) || !URL.canParse(audience)) return false

  const { protocol, host, hostname, username, password, search, hash } = new URL(audience)
  const manager = new URL(profile.resourceManagerEndpoint)
  if (`${username}${password}${search}${hash}` !== '') return false
  if (host === manager.host && protocol === manager.protocol) return true
  if (protocol !== 'https:' || host !== hostname) return false
  const known = knownCloudOf(profile)
  if (hostname === manager.hostname) return true
  if (known !== undefined && resourceManagerAudiencesOf(known).some(same)) return true
  const labels = hostname.split('.')
  return (
    labels.length > 1 &&
    labels[0] === 'management' &&
    !labels.includes('') &&
    !knownDomains().has(domainOf(hostname)) &&
    !hostEndings(serviceDnsSuffixes).some((ending) => hostname.endsWith(ending)) &&
    !hostsOfOthers(profile).includes(hostname)
  )
}

/** Hosts of the other values of the profile. An identifier with such a host belongs to that service, whatever its path. */
function hostsOfOthers({
  authorityHost,
  serviceAudiences: { storage, keyVault },
  services = {},
}: CloudProfile): string[] {
  const urls = [
    authorityHost,
    storage,
    keyVault,
    ...Object.values(services).flatMap(({ url, audience }) => [url, audience]),
  ]
  return urls.map((url) => (url === undefined ? '' : (URL.parse(url)?.hostname ?? '')))
}

/** Domains of the known clouds. Every host below such a domain is a service of that cloud. */
const knownDomains = (): ReadonlySet<string> => new Set([...ownersIn(knownClouds).keys()].map(domainOf))

/** The last two labels: each known cloud owns such domains. */
function domainOf(host: string): string {
  return host.toLowerCase().split('.').slice(-2).join('.')
}

/** The ends of service hosts, because an account may have the name `management`. A storage account has one host per service. */
function hostEndings(suffixes: CloudProfile['serviceDnsSuffixes']): string[] {
  return Object.values(suffixes).flatMap((suffix) => {
    const [, storage] = /^\.blob(\..*)$/.exec(suffix.toLowerCase()) ?? []
    return storage === undefined ? [suffix.toLowerCase()] : storageServices.map((service) => `.${service}${storage}`)
  })
}

const storageServices = ['blob', 'dfs', 'file', 'queue', 'table', 'web']
