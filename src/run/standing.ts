import { isLoopback, withBrackets } from '../lib/base/address.ts'
import { aliasesOf, knownCloudOf } from '../lib/clouds/equal-values.ts'
import type { CloudFile } from '../lib/clouds/cloud-file.ts'
import { knownClouds } from '../lib/clouds/known-clouds.ts'
import { ownerOf } from '../lib/clouds/owner-of.ts'
import { servicesOf } from '../lib/clouds/services-of.ts'
import type { CloudProfile } from '../lib/profile/cloud-profile.ts'
import type { Target } from './discovery.ts'
import type { Standing } from './contacts.ts'

/**
 * Whose each host is, and whether the profile names it.
 *
 * @param clouds The clouds that are recognized.
 * @param allowedHosts Hosts that the operator allows besides, as `host` or `host:port`.
 */
export function createStanding(
  profile: CloudProfile,
  allowedHosts: readonly string[] = [],
  clouds: readonly CloudFile[] = knownClouds,
): (target: Target) => Standing {
  const own = (service: string): Standing => ({ cloud: profile.name, service, allowed: true, isForeign: false })
  const { authorityHost, resourceManagerEndpoint, portalUrl, metadataEndpoint } = profile
  const services = Object.entries(servicesOf(profile))
  const addresses = Object.entries({
    login: authorityHost,
    resourceManager: resourceManagerEndpoint,
    portal: portalUrl,
    metadata: metadataEndpoint,
    ...Object.fromEntries(services.map(([service, { url }]) => [service, url])),
  }).flatMap(([service, url]) => (url === undefined ? [] : [{ service, ...addressOf(url) }]))
  const aliases = aliasesOf(authorityHost)
  const suffixes = services.flatMap(([service, { dnsSuffix }]) =>
    dnsSuffix === undefined ? [] : [[service, dnsSuffix.toLowerCase()] as const],
  )
  const ownCloud = knownCloudOf(profile)
  return ({ host, port }) => {
    const name = host.toLowerCase()
    const address = addresses.find((each) => each.host === name && (each.port === port || !isLoopback(name)))
    if (address !== undefined) return own(address.service)
    if (aliases.includes(name)) return own('login')
    const suffix = suffixes.find(([, each]) => name.endsWith(each))
    if (suffix !== undefined) return own(suffix[0])
    const identity = name === '169.254.169.254' ? 'managedIdentity' : isLoopback(name) ? 'loopback' : undefined
    if (identity !== undefined) return { cloud: null, service: identity, allowed: true, isForeign: false }
    const isNamed = [host, `${withBrackets(host)}:${port}`].some((each) => allowedHosts.includes(each))
    const owner = ownerOf(name, clouds)
    if (owner === undefined) return { cloud: null, service: null, allowed: isNamed, isForeign: false }
    const isOwn = owner.clouds.some((each) => each === ownCloud || each.name === profile.name)
    const cloud = isOwn ? profile.name : (owner.clouds[0]?.name ?? null)
    return { cloud, service: owner.service, allowed: isOwn || isNamed, isForeign: !isOwn }
  }
}

function addressOf(url: string): Target {
  const { hostname, port, protocol } = new URL(url)
  return { host: hostname.toLowerCase(), port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port) }
}
