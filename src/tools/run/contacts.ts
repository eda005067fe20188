import { isLoopback, withBrackets } from '../../lib/base/address.ts'
import { aliasesOf } from '../../lib/clouds/equal-values.ts'
import type { CloudFile, CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { servicesOf } from '../../lib/clouds/known-clouds.ts'
import { counterpartOf } from '../../lib/clouds/counterpart.ts'
import { includesCloud, ownerOf } from '../../lib/clouds/owner-of.ts'
import { type Target, targetOf } from './discovery.ts'

/** A host that the program contacted or tried to contact. */
export interface Contact {
  readonly host: string
  readonly port: number
  /** The name of the cloud that the host belongs to; `null` if it belongs to no known cloud. */
  readonly cloud: string | null
  readonly service: string | null
  /** Whether the profile or the operator names the host. */
  readonly allowed: boolean
  readonly outcome: Outcome
  /** Whether the host belongs to another known cloud or to a retired service, and the operator does not allow it. */
  readonly wrong: boolean
  /** The profile's host or suffix for the same service, for a wrong host. */
  readonly instead?: string | undefined
  /** Whether the cloud has retired the service. */
  readonly retired?: true
  /** The number of connections, or of requests without TLS. */
  readonly count: number
  /** The time of the first contact, ISO 8601. */
  readonly firstAt: string
}

/** What became of the connections: `no-connection` if none could be opened, `not-simulated` for a service that the enclave doesn't have. */
export type Outcome = 'answered' | 'refused' | 'not-simulated' | 'no-connection'

/** Which cloud a host belongs to, and whether the program may contact it. */
export interface Standing extends Pick<Contact, 'cloud' | 'service' | 'allowed' | 'retired' | 'instead'> {
  /** Whether the host belongs to another known cloud. */
  readonly isForeign: boolean
}

/** Counts the hosts that a program contacts, in the order of their first contact. */
export function createContacts() {
  const rows = new Map<string, Contact>()
  const failures = new Map<string, number>()
  return {
    add(this: void, { host, port }: Target, { isForeign, ...standing }: Standing, outcome: Outcome): void {
      const key = `${host}:${port}`
      const wrong = standing.retired === true || (isForeign && !standing.allowed)
      const first = { host, port, ...standing, outcome, wrong, count: 0, firstAt: new Date().toISOString() }
      const contact = rows.get(key) ?? first
      rows.set(key, { ...contact, wrong: contact.wrong || wrong, count: contact.count + 1 })
    },
    /** Counts a connection that could not be opened, after `add`. */
    addFailure(this: void, { host, port }: Target): void {
      failures.set(`${host}:${port}`, (failures.get(`${host}:${port}`) ?? 0) + 1)
    },
    all: (): readonly Contact[] =>
      [...rows].map(([key, contact]) =>
        failures.get(key) === contact.count ? { ...contact, outcome: 'no-connection' } : contact,
      ),
  }
}

/** @param allowedHosts Further hosts that the operator allows, as `host`, `host:port` or `.suffix`. @param clouds Those that are recognized. */
export function createStanding(
  profile: CloudProfile,
  allowedHosts: readonly string[],
  clouds: readonly CloudFile[],
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
  }).flatMap(([service, url]) => (url === undefined ? [] : [{ service, ...targetOf(new URL(url)) }]))
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
    const withPort = `${withBrackets(name)}:${port}`
    const isNamed = allowedHosts.some(
      (each) => each === name || each === withPort || (each.startsWith('.') && name.endsWith(each)),
    )
    const owner = ownerOf(name, clouds)
    const { use } = counterpartOf(name, { cloud: profile, clouds, as: 'host' }) ?? {}
    const instead = use === undefined ? {} : { instead: use }
    if (owner === undefined) return { cloud: null, service: null, allowed: isNamed, isForeign: false, ...instead }
    const isOwn = includesCloud(owner.clouds, profile)
    const { service } = owner
    const cloud = isOwn ? profile.name : (owner.clouds[0]?.name ?? null)
    const isRetired = isOwn && !isNamed && profile.services?.[service]?.retired === true
    const standing = { cloud, service, allowed: isOwn || isNamed, isForeign: !isOwn, ...instead }
    return isRetired ? { ...standing, retired: true } : standing
  }
}
