import type { CloudFile } from '../../../src/lib/clouds/cloud-file.ts'
import { servicesOf, knownClouds } from '../../../src/lib/clouds/known-clouds.ts'
import { ownersIn } from '../../../src/lib/clouds/owner-of.ts'

/** Whose a host is. `clouds` is empty for a value that all clouds share. */
export interface HostOwner {
  readonly service: string
  readonly clouds: readonly string[]
  readonly isAudience: boolean
  /** Whether the host is not listed, but lies in a zone of the cloud. */
  readonly isUnlisted: boolean
}

export type Clouds = ReturnType<typeof createClouds>

/** The retired German cloud: its values count as the other cloud of a table, and as nothing else. */
export const retiredCloud = 'germany'
/** Its counterpart of a public host. */
const retiredHost = (host: string): string =>
  host
    .replace(/\.windows\.net$/, '.cloudapi.de')
    .replace(/\.azure\.(?:com|net)$/, '.microsoftazure.de')
    .replace(/\.(microsoftonline|microsoft)\.com$/, '.$1.de')

/** DNS zones of a cloud: a host below one that no list names is a note. */
export const zones: Readonly<Record<string, string>> = {
  'azure.com': 'public',
  'azure.net': 'public',
  'windows.net': 'public',
  'microsoftonline.com': 'public',
  'azure.us': 'usgovernment',
  'usgovcloudapi.net': 'usgovernment',
  'microsoftonline.us': 'usgovernment',
  'azure.cn': 'china',
  'chinacloudapi.cn': 'china',
}

/** Hosts in those zones that serve people or every cloud. */
const forPeople = /^(?:(?:www|docs|feedback|status|dev|[\w-]+\.dev|[\w.-]+\.in|techcommunity)\.azure\.(?:com|us|cn))$/

/** Audiences that are the same in every cloud, and hosts of identifiers that are no addresses. */
const sharedAudiences: Readonly<Record<string, string>> = {
  'storage.azure.com': 'storage',
  'servicebus.azure.net': 'service-bus',
  'eventhubs.azure.net': 'service-bus',
}
/** Addresses of schemas: identifiers, where nothing is asked. */
const schemas = 'schema.management.azure.com'
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '')
/** Terraform's name is the shortest, and has been the name of a cloud in findings. */
const idOf = ({ name, toolNames }: CloudFile): string => toolNames?.['terraform'] ?? name

/** The built-in knowledge, and the clouds of these files. */
export function createClouds(documents: readonly CloudFile[] = []) {
  const files = [...knownClouds, ...documents]
  const index = new Map<string, HostOwner>()
  const counts = new Map<string, Set<string>>()
  const add = (host: string, service: string, clouds: readonly string[], isAudience = false) => {
    index.set(host, { service, clouds, isAudience, isUnlisted: false })
    const counted = counts.get(service) ?? new Set()
    counts.set(service, counted)
    for (const cloud of clouds) if (cloud !== retiredCloud) counted.add(cloud)
  }
  const audiences = audiencesOf(files)
  for (const [host, { clouds, service }] of ownersIn(files)) {
    const id = host.startsWith('ossrdbms-aad.') ? 'open-source-databases' : idOfService(service)
    add(host, id, clouds.map(idOf), audiences.has(host))
  }
  for (const [host, { service, clouds }] of index)
    if (clouds.includes('public') && retiredHost(host) !== host) add(retiredHost(host), service, [retiredCloud])
  for (const [host, service] of Object.entries(sharedAudiences)) add(host, service, [], true)
  const exactNames = new Map(files.flatMap((file) => namesOf(file).map((name) => [name, idOf(file)] as const)))
  const services = files.flatMap((file) => Object.entries(file.services ?? {}))
  const retired = new Set(services.filter(([, each]) => each.retired === true).map(([name]) => idOfService(name)))
  const federated = files.flatMap((file) =>
    file.federatedAudience === undefined ? [] : [[file.federatedAudience, idOf(file)] as const],
  )
  return {
    hosts: [...index.keys()],
    /** The owner of a host that equals a listed host or lies below one: the longest wins. */
    ownerOfHost: (host: string) => ownerIn(index, host),
    /** The cloud that tools call so, without case, `_` and `-`. */
    cloudOfName: new Map([...exactNames].map(([name, cloud]) => [plainName(name), cloud])),
    exactNames: new Set(exactNames.keys()),
    federatedAudiences: new Map(federated),
    /** How many other clouds publish a value of the service. */
    counterpartsOf: (service: string) => (counts.get(service)?.size ?? 1) - 1,
    isRetired: (service: string) => retired.has(service) && !notRetired.has(service),
  }
}

/** Names that no other text has: the plain words of Terraform and of Microsoft Graph mean a cloud in their settings only. */
function namesOf({ name, toolNames = {} }: CloudFile): readonly string[] {
  const own = Object.values(toolNames).filter((each) => /azure|cloud/i.test(each) && plainName(each) !== 'azure')
  return name.startsWith('platform') ? own : [...new Set([...own, ...(name.length > 7 ? [name] : [])])]
}

/** The names of services in findings, where they differ from those of the files. */
const serviceIds: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['blob', 'queue', 'table', 'file', 'dfs'].map((name) => [name, 'storage'])),
  ...Object.fromEntries(['serviceManagement', 'sqlManagement'].map((name) => [name, 'resource-manager'])),
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
/** Some of their hosts are in use. */
const notRetired = new Set(['portal', 'directory-graph', 'mariadb'])

const idOfService = (name: string): string =>
  serviceIds[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The hosts that are audiences and no addresses. */
function audiencesOf(files: readonly CloudFile[]): ReadonlySet<string> {
  const hostOf = (value = '') => (URL.parse(value)?.hostname ?? value).toLowerCase().replace(/^\./, '')
  const services = files.flatMap((file) => Object.values(servicesOf(file)))
  const addresses = new Set(
    [
      ...services.flatMap(({ dnsSuffix, url }) => [dnsSuffix, url]),
      ...files.flatMap((file) => [file.authorityHost, file.resourceManagerEndpoint, file.portalUrl]),
      ...files.flatMap(({ aliases = {} }) => Object.values(aliases).flat()),
      ...files.flatMap((file) => Object.values(file.services ?? {}).flatMap(({ otherHosts = [] }) => otherHosts)),
    ].map(hostOf),
  )
  return new Set(services.map(({ audience }) => hostOf(audience)).filter((host) => host !== '' && !addresses.has(host)))
}

function ownerIn(index: ReadonlyMap<string, HostOwner>, host: string): HostOwner | undefined {
  const name = host.toLowerCase().replaceAll(/^\.|\.$/g, '')
  if (name === schemas) return undefined
  for (let rest = name; ;) {
    const owner = index.get(rest)
    // An audience that all clouds share, and the hosts of the retired cloud, are no suffixes.
    if (owner !== undefined && (rest === name || owner.clouds.length > 0)) return owner
    const zone = zones[rest]
    if (zone !== undefined)
      return rest === name || forPeople.test(name)
        ? undefined
        : { service: 'unlisted', clouds: [zone], isAudience: false, isUnlisted: true }
    const dot = rest.indexOf('.')
    if (dot === -1) return undefined
    rest = rest.slice(dot + 1)
  }
}
