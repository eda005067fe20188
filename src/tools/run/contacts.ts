import { hostnameOf, isLoopback, portOf, withBrackets } from '../../lib/base/address.ts'
import { aliasesOf } from '../../lib/clouds/equal-values.ts'
import type { CloudFile, CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { servicesOf, knownClouds } from '../../lib/clouds/known-clouds.ts'
import { includesCloud, ownerOf } from '../../lib/clouds/owner-of.ts'
import type { Target } from './discovery.ts'

/** A host that the program contacted or tried to contact. */
export interface Contact {
  readonly host: string
  readonly port: number
  /** The name of the cloud that the host belongs to; `null` if it belongs to no known cloud. */
  readonly cloud: string | null
  readonly service: string | null
  /** Whether the profile or the operator names the host. */
  readonly allowed: boolean
  /** Whether the cloud has retired the service. */
  readonly retired?: true
  /** The number of connections, or of requests without TLS. */
  readonly count: number
  /** The time of the first contact, ISO 8601. */
  readonly firstAt: string
}

/** Which cloud a host belongs to, and whether the program may contact it. */
export interface Standing extends Pick<Contact, 'cloud' | 'service' | 'allowed' | 'retired'> {
  /** Whether the host belongs to another known cloud. */
  readonly isForeign: boolean
  /** The profile's host or suffix for the same service. */
  readonly instead?: string | undefined
}

/** Counts the hosts that a program contacts, in the order of their first contact. */
export function createContacts(now: () => Date) {
  const rows = new Map<string, Contact>()
  const wrong = new Set<string>()
  return {
    add({ host, port }: Target, { isForeign, cloud, service, allowed, retired }: Standing): void {
      const key = `${host}:${port}`
      const standing = { cloud, service, allowed, ...(retired && { retired }) }
      const contact = rows.get(key) ?? { host, port, ...standing, count: 0, firstAt: now().toISOString() }
      rows.set(key, { ...contact, count: contact.count + 1 })
      if (isForeign || retired === true) wrong.add(key)
    },
    get all(): readonly Contact[] {
      return [...rows.values()]
    },
    /** Contacts with another known cloud or a retired service. */
    get wrong(): readonly Contact[] {
      return [...rows].flatMap(([key, contact]) => (wrong.has(key) ? contact : []))
    },
  }
}

/**
 * @param clouds The clouds that are recognized.
 * @param allowedHosts Further hosts that the operator allows, as `host` or `host:port`.
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
  }).flatMap(([service, url]) => (url === undefined ? [] : [{ service, ...targetOf(url) }]))
  const hostOf = (service: string) =>
    addresses.find((each) => each.service === service)?.host ?? suffixes.find(([each]) => each === service)?.[1]
  const aliases = aliasesOf(authorityHost)
  const suffixes = services.flatMap(([service, { dnsSuffix }]) =>
    dnsSuffix === undefined ? [] : [[service, dnsSuffix.toLowerCase()] as const],
  )
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
    const isOwn = includesCloud(owner.clouds, profile)
    const { service } = owner
    const cloud = isOwn ? profile.name : (owner.clouds[0]?.name ?? null)
    const isRetired = isOwn && profile.services?.[service]?.retired === true
    const instead = hostOf(successors[service] ?? service)
    const standing = { cloud, service, allowed: isOwn || isNamed, isForeign: !isOwn, instead }
    return isRetired ? { ...standing, retired: true } : standing
  }
}

/** The service that replaces a retired one. */
const successors: Readonly<Record<string, string>> = { classicLogin: 'login', directoryGraph: 'microsoftGraph' }

function targetOf(address: string): Target {
  const url = new URL(address)
  return { host: hostnameOf(url), port: portOf(url) }
}
