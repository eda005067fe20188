import { textAt, textsOf } from '../../../src/lib/base/json.ts'
import type { CloudProfile } from '../../../src/lib/profile/cloud-profile.ts'
import type { Clouds } from './clouds.ts'
import { firstCloud, type HostOccurrence } from './hosts.ts'

/** The cloud that an application is prepared for: its values are no findings. */
export interface Target {
  /** The cloud of a foreign value; `undefined` if the value is correct. */
  readonly foreignCloud: (occurrence: HostOccurrence) => string | undefined
  readonly isForeignName: (cloud: string) => boolean
  /** The field of the profile that holds a value, with its value. */
  readonly fieldText: (service: string, isAudience: boolean) => string | undefined
}

/** The fields of a profile by service: that of its host, and that of its audience. */
const fields: Readonly<Record<string, readonly [host?: string, audience?: string]>> = {
  login: ['authorityHost'],
  'resource-manager': ['resourceManagerEndpoint', 'resourceManagerAudience'],
  portal: ['portalUrl'],
  storage: ['serviceDnsSuffixes.storage', 'serviceAudiences.storage'],
  'key-vault': ['serviceDnsSuffixes.keyVault', 'serviceAudiences.keyVault'],
  sql: ['serviceDnsSuffixes.sqlServer'],
  'container-registry': ['serviceDnsSuffixes.containerRegistry'],
}

/** The field of a profile that holds the value, if one does. */
export function fieldOf(service: string, isAudience: boolean): string | undefined {
  const [host, audience] = Object.hasOwn(fields, service) ? (fields[service] ?? []) : []
  return isAudience ? (audience ?? host) : host
}

/** Without a profile every value that belongs to a cloud is foreign: the application is prepared for any. */
export const anyCloud: Target = {
  foreignCloud: ({ clouds }) => firstCloud(clouds),
  isForeignName: () => true,
  fieldText: () => undefined,
}

export function createTarget(profile: CloudProfile, clouds: Clouds): Target {
  const ownerOf = (value: string) => clouds.ownerOfHost(URL.parse(value)?.hostname ?? value)
  const own = firstCloud(ownerOf(profile.authorityHost)?.clouds ?? [])
  const hosts = textsOf(profile).flatMap(([, text]) => hostsOf(text))
  const fieldValue = (service: string, isAudience: boolean) => textAt(profile, fieldOf(service, isAudience) ?? '')
  return {
    isForeignName: (cloud) => cloud !== own,
    fieldText(service, isAudience) {
      const value = fieldValue(service, isAudience)
      return value === undefined ? undefined : `${fieldOf(service, isAudience) ?? ''} is ${value}`
    },
    foreignCloud({ host, service, clouds: owners, isAudience }) {
      // A value that all clouds share is correct unless the profile has another.
      const value = fieldValue(service, owners.length === 0 || isAudience)
      if (owners.length === 0) return value !== undefined && URL.parse(value)?.hostname !== host ? 'public' : undefined
      if (hosts.some((each) => host === each || host.endsWith(`.${each}`))) return undefined
      if (own === undefined || !owners.includes(own)) return firstCloud(owners)
      // A known cloud has more hosts than its profile names.
      return value === undefined || ownerOf(value)?.clouds.includes(own) === true ? undefined : firstCloud(owners)
    },
  }
}

function hostsOf(value: string): readonly string[] {
  if (/^https?:/i.test(value)) return [URL.parse(value)?.hostname ?? []].flat()
  const suffix = /^\.([\w.-]+)$/.exec(value.toLowerCase())?.[1]
  // Queues, tables and files live beside blobs.
  return suffix === undefined ? [] : [suffix, suffix.replace(/^blob\./, '')]
}
