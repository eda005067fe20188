import { cloudNames, type CloudName, type CloudService } from './cloud-service.ts'
import { profileServices } from './profile-services.ts'

/** The owner of a value. */
export interface ValueOwner {
  readonly service: CloudService
  /** Usually one cloud. The retired directory graph has one host in two clouds. */
  readonly clouds: readonly CloudName[]
}

/** The values of each listed host, suffix and audience. */
export type ValueIndex = ReadonlyMap<string, ValueOwner>

/** Prepares a table for {@link ownerOfHost}. */
export function indexValues(services: readonly CloudService[]): ValueIndex {
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
  const audiences = (values.audiences ?? []).map((audience) => new URL(audience).hostname)
  return [...(values.hosts ?? []), ...audiences]
}

/**
 * The owner of a host that equals a listed host or is a subdomain of one. The longest listed host wins.
 *
 * @param host A host name, or a DNS suffix with or without its leading dot. Letter case and a final dot do not matter.
 */
export function ownerOfHost(host: string, index: ValueIndex): ValueOwner | undefined {
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

let profileValues: ValueIndex | undefined

/** The owner of a value of a profile: a URL, an audience, a host or a DNS suffix. A value that all clouds share has no owner. */
export function ownerOfValue(
  value: string,
  index: ValueIndex = (profileValues ??= indexValues(profileServices)),
): ValueOwner | undefined {
  return ownerOfHost(URL.parse(value)?.hostname || value, index)
}
