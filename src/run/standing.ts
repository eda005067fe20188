import { isLoopback, withBrackets } from '../lib/base/address.ts'
import { aliasesOf } from '../lib/clouds/equal-values.ts'
import { ownerOfValue } from '../lib/clouds/value-owner.ts'
import type { CloudName } from '../lib/clouds/cloud-service.ts'
import type { CloudProfile } from '../lib/profile/cloud-profile.ts'
import { knownCloudOf } from '../lib/clouds/known-cloud-of.ts'
import type { Target } from './discovery.ts'
import type { Standing } from './contacts.ts'

const profileOf: Readonly<Record<CloudName, string>> = {
  public: 'platform-commercial',
  usgovernment: 'platform-us-government',
  china: 'platform-china',
}

/**
 * Whose each host is, and whether the profile names it.
 *
 * @param allowedHosts Hosts that the operator allows besides, as `host` or `host:port`.
 */
export function createStanding(
  profile: CloudProfile,
  allowedHosts: readonly string[] = [],
): (target: Target) => Standing {
  const own = (service: string): Standing => ({ cloud: profile.name, service, allowed: true, isForeign: false })
  const { authorityHost, resourceManagerEndpoint, portalUrl, metadataEndpoint, serviceDnsSuffixes, extensions } =
    profile
  const addresses = Object.entries({
    authority: authorityHost,
    resourceManager: resourceManagerEndpoint,
    portal: portalUrl,
    metadata: metadataEndpoint,
    ...extensions,
  }).flatMap(([service, url]) => (url === undefined ? [] : [{ service, ...addressOf(url) }]))
  const aliases = aliasesOf(authorityHost)
  const suffixes = Object.entries(serviceDnsSuffixes).map(
    ([service, suffix]) => [service, suffix.toLowerCase()] as const,
  )
  const ownCloud = knownCloudOf(profile)
  return ({ host, port }) => {
    const name = host.toLowerCase()
    const address = addresses.find((each) => each.host === name && (each.port === port || !isLoopback(name)))
    if (address !== undefined) return own(address.service)
    if (aliases.includes(name)) return own('authority')
    const suffix = suffixes.find(([, each]) => name.endsWith(each))
    if (suffix !== undefined) return own(suffix[0])
    const identity = name === '169.254.169.254' ? 'managedIdentity' : isLoopback(name) ? 'loopback' : undefined
    if (identity !== undefined) return { cloud: null, service: identity, allowed: true, isForeign: false }
    const isNamed = [host, `${withBrackets(host)}:${port}`].some((each) => allowedHosts.includes(each))
    const owner = ownerOfValue(name)
    if (owner === undefined) return { cloud: null, service: null, allowed: isNamed, isForeign: false }
    const clouds = owner.clouds.map((each) => profileOf[each])
    const isOwn = ownCloud !== undefined && owner.clouds.includes(ownCloud.terraform as CloudName)
    const cloud = isOwn ? profile.name : (clouds[0] ?? null)
    return { cloud, service: owner.service.id, allowed: isOwn || isNamed, isForeign: !isOwn }
  }
}

function addressOf(url: string): Target {
  const { hostname, port, protocol } = new URL(url)
  return { host: hostname.toLowerCase(), port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port) }
}
