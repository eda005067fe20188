import { escapeHidden, showValue } from '../base/printable.ts'
import type { CloudFile } from '../clouds/cloud-file.ts'
import { knownClouds } from '../clouds/known-clouds.ts'
import { knownCloudOfAuthority } from '../clouds/equal-values.ts'
import { ownerOf } from '../clouds/owner-of.ts'
import type { Warning } from '../errors.ts'
import type { CloudProfile } from './cloud-profile.ts'
import type { FieldOrigin } from './explained-profile.ts'
import { textsOf } from '../base/json.ts'
import type { FieldPath } from './field-path.ts'

/** The source of each field's value. */
export type FieldOrigins = Readonly<Partial<Record<FieldPath, Pick<FieldOrigin, 'from'>>>>

/** A value of a profile that another known cloud publishes. */
export interface ForeignValue {
  readonly path: FieldPath
  readonly value: string
  /** The known clouds that publish it. */
  readonly clouds: readonly CloudFile[]
  /** The known cloud of the login authority. Absent for a private cloud. */
  readonly profileCloud: CloudFile | undefined
  /** The source of the value, such as `file PATH` or a variable. Absent without origins. */
  readonly from: string | undefined
}

/** Fields without an address, and the authority, with which the others are compared. Clouds share issuers. */
const notCompared = /^(?:name|displayName|environment|authorityHost|tenantId|notes)$|^(?:toolNames|aliases\.issuers)\./

/**
 * The values of a profile that belong to another known cloud than its login authority. `environment` plays no part, and a value that all
 * clouds share, such as the storage audience, belongs to none. Pure.
 */
export function findForeignValues(
  profile: CloudProfile,
  origins: FieldOrigins = {},
  clouds: readonly CloudFile[] = knownClouds,
): ForeignValue[] {
  const profileCloud = knownCloudOfAuthority(profile.authorityHost, clouds)
  return textsOf(profile).flatMap(([key, value]) => {
    const path = key as FieldPath
    if (notCompared.test(path)) return []
    const owners =
      path === 'federatedAudience'
        ? clouds.filter(({ federatedAudience }) => federatedAudience === value)
        : (ownerOf(value, clouds)?.clouds ?? [])
    if (owners.length === 0 || (profileCloud !== undefined && owners.includes(profileCloud))) return []
    return [{ path, value, clouds: owners, profileCloud, from: origins[path]?.from }]
  })
}

export function foreignValueWarning({ path, value, clouds, profileCloud, from }: ForeignValue): Warning {
  const owners = clouds.map(titleOf).join(' and ')
  const own = profileCloud === undefined ? 'a private cloud' : titleOf(profileCloud)
  const origin = from === undefined ? '' : ` (from ${escapeHidden(from)})`
  const message = `${path} is ${showValue(value)}, which belongs to ${owners}, but authorityHost belongs to ${own}${origin}`
  return { code: 'FOREIGN_VALUE', message }
}

/** The cloud in a sentence: `the US Government cloud`, but `Bleu (France)`. */
function titleOf({ displayName }: CloudFile): string {
  return displayName.endsWith(' cloud') ? `the ${displayName}` : displayName
}
