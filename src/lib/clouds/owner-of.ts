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
const indexes = new WeakMap<readonly CloudFile[], ReadonlyMap<string, Owner>>()

/** The clouds whose files list the host of a value, or else a domain above it. What all clouds share, such as the storage audience, has no owner. */
export function ownerOf(value: string, clouds: readonly CloudFile[] = knownClouds): Owner | undefined {
  const index = ownersIn(clouds)
  let rest = hostOf(value).replace(/^\.|\.$/g, '')
  while (!index.has(rest) && rest.includes('.')) rest = rest.slice(rest.indexOf('.') + 1)
  return index.get(rest)
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
export function ownersIn(clouds: readonly CloudFile[]): ReadonlyMap<string, Owner> {
  const cached = indexes.get(clouds)
  if (cached !== undefined) return cached
  const index = new Map<string, Owner>()
  const add = (cloud: CloudFile, [host, service]: HostEntry) => {
    const owner = index.get(host)
    if (owner !== undefined && includesCloud(owner.clouds, cloud)) return
    index.set(host, { service: owner?.service ?? service, clouds: [...(owner?.clouds ?? []), cloud] })
  }
  for (const cloud of clouds) for (const each of addressesOf(cloud)) add(cloud, each)
  const audiences = clouds.flatMap((cloud) => audiencesOf(cloud).map((entry) => ({ cloud, entry })))
  for (const [host, all] of Map.groupBy(audiences, ({ entry }) => entry[0])) {
    if (index.has(host)) continue
    // An audience that two clouds have has no owner. An issuer has several.
    const isShared = all.some((one) => all.some((other) => !isSameCloud(one.cloud, other.cloud)))
    for (const { cloud, entry } of all) if (!isShared || entry[1] === 'login') add(cloud, entry)
  }
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

/** The hosts of issuers and audiences. */
function audiencesOf(cloud: CloudFile): HostEntry[] {
  return [
    ...entries('login', cloud.aliases?.issuers),
    ...entries('resourceManager', [cloud.serviceAudiences?.arm]),
    ...Object.entries(servicesOf(cloud)).flatMap(([name, { audience }]) => entries(name, [audience])),
  ]
}
