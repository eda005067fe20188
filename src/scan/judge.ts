import { knownCloudOfAuthority } from '../lib/clouds/equal-values.ts'
import type { CloudProfile } from '../lib/profile/cloud-profile.ts'
import { cloudNames, ownerOfHost, type CloudName } from './services.ts'
import type { Occurrence } from './find-hosts.ts'
import { fieldOf, valueOfField } from './profile-fields.ts'

/** Decides which values are foreign to the target cloud of an application. */
export interface Judge {
  /** The cloud of a foreign value; `undefined` if the value is correct. */
  readonly foreignCloud: (occurrence: Occurrence) => CloudName | undefined
  readonly isForeignName: (cloud: CloudName) => boolean
  readonly profile?: CloudProfile
}

/** Without a profile every value that belongs to a cloud is foreign: the application is prepared for any. */
export function createJudge(profile?: CloudProfile): Judge {
  if (profile === undefined) {
    return { foreignCloud: ({ clouds }) => firstKnown(clouds), isForeignName: () => true }
  }
  const own = cloudNames.find((name) => name === knownCloudOfAuthority(profile.authorityHost)?.toolNames?.['terraform'])
  const isOwn = (cloud: string) => cloud === own
  const hosts = hostsOf(profile)
  return {
    profile,
    isForeignName: (cloud) => !isOwn(cloud),
    foreignCloud({ host, service, clouds, isAudience }) {
      // A value that all clouds share is correct unless the profile has another.
      if (clouds.length === 0) return differsFromField(profile, service, host) ? 'public' : undefined
      if (hosts.some((each) => host === each || host.endsWith(`.${each}`))) return undefined
      if (!clouds.some(isOwn)) return firstKnown(clouds)
      const field = fieldOf(service, isAudience)
      const value = field === undefined ? undefined : valueOfField(profile, field)
      // A known cloud has more hosts than its profile names.
      return value === undefined || ownsValue(value, own) ? undefined : firstKnown(clouds)
    },
  }
}

function firstKnown(clouds: Occurrence['clouds']): CloudName | undefined {
  return clouds.find((cloud): cloud is CloudName => cloud !== 'germany')
}

function differsFromField(profile: CloudProfile, service: string, host: string): boolean {
  const field = fieldOf(service, true)
  const value = field === undefined ? undefined : valueOfField(profile, field)
  return value !== undefined && URL.parse(value)?.hostname !== host
}

/** Whether a value of a profile is what the known cloud publishes: then its other values are right too. */
function ownsValue(value: string, own: CloudName | undefined): boolean {
  return own !== undefined && ownerOfHost(URL.parse(value)?.hostname || value)?.clouds.includes(own) === true
}

function hostsOf(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(hostsOf)
  if (typeof value !== 'string') return []
  if (/^\.[\w.-]+$/.test(value)) return [value.slice(1).toLowerCase(), ...storageBase(value)]
  const host = /^https?:/i.test(value) ? URL.parse(value)?.hostname : undefined
  return host === undefined ? [] : [host]
}

/** Queues, tables and files live beside blobs. */
function storageBase(suffix: string): readonly string[] {
  return /^\.blob\./i.test(suffix) ? [suffix.slice('.blob.'.length).toLowerCase()] : []
}
