import type { CloudFile } from '../lib/clouds/cloud-file.ts'
import { knownClouds } from '../lib/clouds/known-clouds.ts'
import { servicesOf, storageBase } from '../lib/clouds/services-of.ts'

// The cloud files as the table that the scan searches with.

export const cloudNames = ['public', 'usgovernment', 'china'] as const

export type CloudName = (typeof cloudNames)[number]

/** The values that one cloud publishes for a service. */
export interface ServiceValues {
  readonly hosts: readonly string[]
  /** Without a final slash. */
  readonly audiences: readonly string[]
}

export type CloudService = Readonly<Record<CloudName, ServiceValues | 'not published'>> & {
  readonly id: string
  readonly name: string
  readonly isRetired?: true
}

/** The names of services in findings, where they differ. */
const ids: Readonly<Record<string, string>> = {
  sqlServer: 'sql',
  kubernetes: 'kubernetes-service',
  search: 'ai-search',
  cognitiveServices: 'ai-services',
  openai: 'ai-services',
  kusto: 'data-explorer',
  monitorIngestion: 'monitor',
  classicPortal: 'portal',
  dataLake: 'data-lake-gen1',
}

/** Audiences that are the same in every cloud. */
export const sharedAudiences = [
  { value: 'https://storage.azure.com', service: 'storage' },
  { value: 'https://servicebus.azure.net', service: 'service-bus' },
  { value: 'https://eventhubs.azure.net', service: 'service-bus' },
]

const notSearched = new Set(['blob', 'queue', 'table', 'file', 'dfs', 'serviceManagement', 'sqlManagement'])

function kebab(name: string): string {
  return ids[name] ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

const byName = (cloud: CloudName) => knownClouds.find(({ toolNames }) => toolNames?.['terraform'] === cloud)

function valuesIn(cloud: CloudFile): Map<string, ServiceValues> {
  const found = new Map<string, ServiceValues>()
  const add = (id: string, hosts: readonly (string | undefined)[], audiences: readonly (string | undefined)[] = []) => {
    const before = found.get(id)
    const bare = (values: readonly (string | undefined)[]) =>
      values.flatMap((value) => (value === undefined ? [] : [hostOf(value)]))
    const all = [...new Set([...(before?.hosts ?? []), ...bare(hosts)])]
    const others = audiences.flatMap((each) => (each === undefined || isShared(each) ? [] : [each.replace(/\/$/, '')]))
    const isBelow = (audience: string) =>
      all.some((host) => `.${hostOf(audience)}`.endsWith(`.${host}`) && id !== 'batch')
    found.set(id, { hosts: all, audiences: [...(before?.audiences ?? []), ...others.filter((each) => !isBelow(each))] })
  }
  const { aliases, services = {} } = cloud
  const others = knownClouds.filter((other) => other !== cloud)
  const foreignLogins = new Set(
    others.flatMap(({ authorityHost, aliases: names }) => [authorityHost, ...(names?.issuers ?? [])]),
  )
  const issuers =
    cloud.toolNames?.['terraform'] === 'public'
      ? aliases?.issuers
      : aliases?.issuers?.filter((each) => !foreignLogins.has(each))
  add('login', [cloud.authorityHost, ...(aliases?.authorityHosts ?? []), ...(issuers ?? [])])
  add('resource-manager', [cloud.resourceManagerEndpoint, ...(aliases?.resourceManagerAudiences ?? [])])
  add('portal', [cloud.portalUrl])
  add('storage', [storageBase(cloud)])
  for (const [name, { dnsSuffix, url, audience }] of Object.entries(servicesOf(cloud))) {
    if (notSearched.has(name)) continue
    if (name === 'mysql') add('mysql', [dnsSuffix])
    else if (name === 'postgresql') {
      add('postgresql', [dnsSuffix])
      add('open-source-databases', [], [audience])
    } else add(kebab(name), [dnsSuffix, url], [audience])
  }
  for (const [name, { otherHosts = [] }] of Object.entries(services))
    if (otherHosts.length > 0) add(kebab(name), otherHosts)
  return found
}

function hostOf(value: string): string {
  return (URL.parse(value)?.hostname ?? value).replace(/^\./, '')
}

const tables = cloudNames.map((name) => {
  const cloud = byName(name)
  return cloud === undefined ? new Map<string, ServiceValues>() : valuesIn(cloud)
})

/** Every service, with its values in each cloud. */
export const services: readonly CloudService[] = [...new Set(tables.flatMap((table) => [...table.keys()]))].map(
  (id) => {
    const [inPublic, usgovernment, china] = tables.map((table) => table.get(id) ?? ('not published' as const))
    const isRetired = knownClouds.some(({ services: listed = {} }) =>
      Object.entries(listed).some(
        ([name, { retired }]) =>
          retired === true && kebab(name) === id && id !== 'portal' && id !== 'directory-graph' && id !== 'mariadb',
      ),
    )
    const values = {
      public: inPublic ?? 'not published',
      usgovernment: usgovernment ?? 'not published',
      china: china ?? 'not published',
    } as const
    return { id, name: id, ...(isRetired ? { isRetired: true as const } : {}), ...values }
  },
)

/** The names of a cloud in tools that no other text has. */
export const namesInTools: Readonly<Record<CloudName, readonly string[]>> = {
  public: namesOf('public'),
  usgovernment: namesOf('usgovernment'),
  china: namesOf('china'),
}

function namesOf(cloud: CloudName): readonly string[] {
  const { toolNames = {} } = byName(cloud) ?? {}
  return [...new Set(Object.entries(toolNames).flatMap(([tool, name]) => (tool === 'terraform' ? [] : [name])))]
}

/** The names of a cloud in Terraform, Pulumi and Packer. They are plain words, so they mean a cloud only where a setting selects one. */
export const plainNames: Readonly<Record<string, CloudName>> = {
  public: 'public',
  usgovernment: 'usgovernment',
  china: 'china',
}

function isShared(audience: string): boolean {
  return sharedAudiences.some(({ value }) => value === audience.replace(/\/$/, ''))
}

/** Hosts of identifiers that are the same text in every cloud, with their subdomains. They are not addresses of a cloud. */
export const sharedHosts: readonly string[] = ['schema.management.azure.com']

/** Hosts that no service answers at: an address below one is an identifier, such as the URL of a FHIR extension (microsoft/fhir-server). */
// cloud-profile-ignore: an identifier
export const identifierHosts: readonly string[] = ['azurehealthcareapis.com']

/** The owner of a value. */
export interface ValueOwner {
  readonly service: CloudService
  readonly clouds: readonly CloudName[]
}

/** The values of each listed host, suffix and audience. */
export type ValueIndex = ReadonlyMap<string, ValueOwner>

/** The owner of each listed value of every service. */
export const valueIndex: ValueIndex = indexValues()

function indexValues(): ValueIndex {
  const index = new Map<string, ValueOwner>()
  for (const service of services) {
    for (const cloud of cloudNames) {
      for (const listed of listedValues(service, cloud)) {
        const clouds = index.get(listed)?.clouds ?? []
        index.set(listed, { service, clouds: [...clouds, cloud] })
      }
    }
  }
  return index
}

/** The hosts and the hosts of the audiences that a cloud lists for a service. */
export function listedValues(service: CloudService, cloud: CloudName): readonly string[] {
  const values = service[cloud]
  if (values === 'not published') return []
  return [...new Set([...values.hosts, ...values.audiences.map((audience) => new URL(audience).hostname)])]
}

/** The owner of a host that equals a listed host or is a subdomain of one. The longest listed host wins. */
export function ownerOfHost(host: string, index: ValueIndex = valueIndex): ValueOwner | undefined {
  let rest = host.toLowerCase().replace(/^\.|\.$/g, '')
  while (rest !== '') {
    const owner = index.get(rest)
    if (owner !== undefined) return owner
    const dot = rest.indexOf('.')
    if (dot === -1) return undefined
    rest = rest.slice(dot + 1)
  }
  return undefined
}
