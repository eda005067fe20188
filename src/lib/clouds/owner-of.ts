import type { CloudFile } from './cloud-profile.ts'
import { isSameCloud } from './equal-values.ts'
import { servicesOf, storageBase, knownClouds } from './known-clouds.ts'

export interface Owner {
  /** Usually one cloud. Two clouds share the host of the retired directory graph. */
  readonly clouds: readonly CloudFile[]
  /** A name in `services`, or `login`, `resourceManager` or `portal`. */
  readonly service: string
}

/** The owner of each host, DNS suffix (without its leading dot) and audience host in the cloud files. */
export type OwnerIndex = ReadonlyMap<string, Owner>

const indexes = new WeakMap<readonly CloudFile[], OwnerIndex>()

/**
 * The owner of a URL, an audience, a host or a DNS suffix: the clouds whose files list its host or a domain above it. The longest match wins.
 * Letter case and a final dot don't matter. A value that all clouds share, such as the storage audience, has no owner.
 */
export function ownerOf(value: string, clouds: readonly CloudFile[] = knownClouds): Owner | undefined {
  const index = ownersIn(clouds)
  let rest = hostOf(value).replace(/^\.|\.$/g, '')
  while (rest !== '') {
    const owner = index.get(rest)
    if (owner !== undefined) return owner
    const dot = rest.indexOf('.')
    if (dot === -1) return undefined
    rest = rest.slice(dot + 1)
  }
  return undefined
}

/** Most values are plain URLs, for which the URL parser would take half of the time of an index. */
const plainUrl = /^https:\/\/((?:[a-z\d-]+\.)+[a-z]+)\//

function hostOf(value: string): string {
  return plainUrl.exec(value)?.[1] ?? (URL.parse(value)?.hostname || value).toLowerCase()
}

/** The cloud of a value, if none of the `own` values belongs to the same cloud. */
export function otherCloudOf(value: string, own: readonly string[]): CloudFile | undefined {
  const owners = ownerOf(value)?.clouds ?? []
  const ours = own.flatMap((each) => ownerOf(each)?.clouds ?? [])
  return owners.some((cloud) => includesCloud(ours, cloud)) ? undefined : owners[0]
}

/** Whether a list contains a cloud. Two files with the same login authority are one cloud. */
export function includesCloud(clouds: readonly CloudFile[], cloud: Pick<CloudFile, 'authorityHost'>): boolean {
  return clouds.some((each) => isSameCloud(each, cloud))
}

/** Indexes the values of cloud files. A second file of the same cloud, such as an operator's copy, adds its values to the first. */
export function ownersIn(clouds: readonly CloudFile[]): OwnerIndex {
  const cached = indexes.get(clouds)
  if (cached !== undefined) return cached
  const index = new Map<string, Owner>()
  const add = (cloud: CloudFile, [host, service]: HostEntry) => {
    const owner = index.get(host)
    if (owner !== undefined && includesCloud(owner.clouds, cloud)) return
    index.set(host, { service: owner?.service ?? service, clouds: [...(owner?.clouds ?? []), cloud] })
  }
  for (const cloud of clouds) for (const each of addressesOf(cloud)) add(cloud, each)
  for (const each of audiencesOf(clouds, index)) add(...each)
  indexes.set(clouds, index)
  return index
}

type HostEntry = readonly [host: string, service: string]

const entries = (service: string, values: readonly (string | undefined)[] = []): HostEntry[] =>
  values.flatMap((value = '') => {
    const host = hostOf(value).replace(/^\*?\./, '')
    // A placeholder belongs to no cloud.
    return host === '' || host.endsWith('.invalid') ? [] : [[host, service] as const]
  })

/** The hosts and suffixes that belong to one cloud. */
function addressesOf(cloud: CloudFile): HostEntry[] {
  const { services = {}, aliases, resourceManagerEndpoint, resourceManagerAudience, metadataEndpoint } = cloud
  return [
    ...entries('login', [cloud.authorityHost, ...(aliases?.authorityHosts ?? [])]),
    ...entries('resourceManager', [resourceManagerEndpoint, resourceManagerAudience, metadataEndpoint]),
    ...entries('resourceManager', aliases?.resourceManagerAudiences),
    ...entries('portal', [cloud.portalUrl]),
    ...entries('blob', [storageBase(cloud)]),
    ...Object.entries(servicesOf(cloud)).flatMap(([name, { dnsSuffix, url }]) => entries(name, [dnsSuffix, url])),
    ...Object.entries(services).flatMap(([name, { otherHosts }]) => entries(name, otherHosts)),
  ]
}

/** The hosts of issuers and audiences. A host listed by two clouds has no owner, unless it is an address of one of them. */
function audiencesOf(clouds: readonly CloudFile[], addresses: OwnerIndex): (readonly [CloudFile, HostEntry])[] {
  const all = clouds.flatMap((cloud) => {
    const { serviceAudiences, aliases } = cloud
    const own = [...entries('login', aliases?.issuers), ...entries('resourceManager', [serviceAudiences?.arm])]
    const others = Object.entries(servicesOf(cloud)).flatMap(([name, { audience }]) => entries(name, [audience]))
    return [...own, ...others].map((each) => [cloud, each] as const)
  })
  const lastCloudOf = new Map<string, CloudFile>()
  const shared = new Set<string>()
  for (const [cloud, [host]] of all) {
    if (!isSameCloud(lastCloudOf.get(host) ?? cloud, cloud)) shared.add(host)
    lastCloudOf.set(host, cloud)
  }
  return all.filter(([, [host, service]]) => !addresses.has(host) && (!shared.has(host) || service === 'login'))
}
