import { isLoopback, withBrackets } from '../../lib/base/address.ts'
import { aliasesOf, knownCloudOf } from '../../lib/clouds/equal-values.ts'
import type { CloudFile, CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { servicesOf, knownClouds } from '../../lib/clouds/known-clouds.ts'
import { ownerOf } from '../../lib/clouds/owner-of.ts'
import type { Target } from './discovery.ts'

/** A host that the child contacted, or tried to. */
export interface Contact {
  readonly host: string
  /** `null` for a name that was looked up and not connected to. */
  readonly port: number | null
  /** The name of the cloud that the host belongs to; `null` if it belongs to no known cloud. */
  readonly cloud: string | null
  readonly service: string | null
  /** Whether it is a host of the profile. */
  readonly allowed: boolean
  /** Connections, or requests without TLS. */
  readonly count: number
  /** ISO 8601. */
  readonly firstAt: string
}

/** Whose a host is. `foreign`: of another known cloud. */
export interface Standing extends Pick<Contact, 'cloud' | 'service' | 'allowed'> {
  readonly isForeign: boolean
}

export interface Contacts {
  add(host: string, port: number | null, standing: Standing): void
  /** In the order of their first contact. */
  readonly all: readonly Contact[]
  readonly foreign: readonly Contact[]
}

/** Counts the hosts that a child contacts. */
export function createContacts(now: () => Date): Contacts {
  const rows = new Map<string, Contact>()
  const foreign = new Set<string>()
  return {
    add(host, port, { isForeign, ...standing }) {
      const key = `${host}:${port}`
      const known = rows.get(key)
      rows.set(
        key,
        known === undefined
          ? { host, port, ...standing, count: 1, firstAt: now().toISOString() }
          : { ...known, count: known.count + 1 },
      )
      if (isForeign) foreign.add(key)
    },
    get all() {
      const all = [...rows.values()]
      const connected = new Set(all.flatMap(({ host, port }) => (port === null ? [] : host)))
      return all.filter(({ host, port }) => port !== null || !connected.has(host))
    },
    get foreign() {
      return [...rows].flatMap(([key, contact]) => (foreign.has(key) ? contact : []))
    },
  }
}

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
  }).flatMap(([service, url]) => (url === undefined ? [] : [{ service, ...targetOf(url) }]))
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

function targetOf(url: string): Target {
  const { hostname, port, protocol } = new URL(url)
  return { host: hostname.toLowerCase(), port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port) }
}

/** The report for programs. */
export function formatJson(contacts: readonly Contact[]): string {
  return `${JSON.stringify({ hosts: contacts }, undefined, 2)}\n`
}

/** The allow list for squid, Cilium and a NetworkPolicy: YAML whose comments hold the lines for squid. */
export function formatEgress(contacts: readonly Contact[]): string {
  const remote = contacts.filter(({ service }) => service !== 'loopback')
  const allowed = remote.filter((contact) => contact.allowed)
  const refused = remote.filter((contact) => !contact.allowed)
  const hosts = [...new Set(allowed.map(({ host }) => host))].toSorted()
  const ports = [...new Set(allowed.flatMap(({ port }) => port ?? []))].toSorted((a, b) => a - b)
  const squid = [
    'acl cloud_hosts dstdomain ' + hosts.join(' '),
    'acl cloud_ports port ' + ports.join(' '),
    'http_access allow cloud_hosts cloud_ports',
  ]
  const ciliumRules = ports.map((port) => {
    const names = [...new Set(allowed.filter((each) => each.port === port).map(({ host }) => host))].toSorted()
    return `    - toFQDNs:\n${names.map((host) => `        - matchName: ${host}\n`).join('')}      toPorts:\n        - ports:\n            - port: "${port}"\n              protocol: TCP\n`
  })
  const policyPorts = ports.map((port) => `        - port: ${port}\n          protocol: TCP\n`)
  return [
    '# squid\n',
    ...squid.map((line) => `#   ${line}\n`),
    ...refused.map(({ host, port }) => `# Not a host of the profile, so not allowed: ${addressOf(host, port)}\n`),
    '# Cilium\n',
    cilium(ciliumRules.join('')),
    '---\n# NetworkPolicy: it knows ports and addresses, and no names\n',
    networkPolicy(policyPorts.join('')),
  ].join('')
}

const cilium = (rules: string) => `apiVersion: cilium.io/v2
kind: CiliumNetworkPolicy
metadata:
  name: cloud-egress
spec:
  endpointSelector: {}
  egress:${rules === '' ? ' []\n' : `\n${rules}`}`

const networkPolicy = (ports: string) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: cloud-egress
spec:
  podSelector: {}
  policyTypes: [Egress]
  egress:${ports === '' ? ' []\n' : `\n    - ports:\n${ports}`}`

/** `host:port`, or the name alone. */
export const addressOf = (host: string, port: number | null): string => (port === null ? host : `${host}:${port}`)
