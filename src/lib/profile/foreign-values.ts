import { escapeHidden } from '../base/printable.ts'
import { showValue } from '../base/show-value.ts'
import type { CloudName } from '../clouds/cloud-service.ts'
import { ownerOfValue } from '../clouds/value-owner.ts'
import { isObject } from '../base/json.ts'
import type { Warning } from '../errors.ts'
import type { CloudProfile } from './cloud-profile.ts'
import type { FieldOrigin } from './explained-profile.ts'
import type { FieldPath } from './field-path.ts'

/** The source of each field's value. */
export type FieldOrigins = Readonly<Partial<Record<FieldPath, Pick<FieldOrigin, 'from'>>>>

/** A value of a profile that another known cloud publishes. */
export interface ForeignValue {
  readonly path: FieldPath
  readonly value: string
  /** The known clouds that publish it. */
  readonly clouds: readonly CloudName[]
  /** The known cloud of the login authority. Absent for a private cloud. */
  readonly profileCloud: CloudName | undefined
  /** The source of the value, such as `file PATH` or a variable. Absent without origins. */
  readonly from: string | undefined
}

/** Fields without an address, and the authority, with which the others are compared. */
const notCompared: ReadonlySet<FieldPath> = new Set([
  'name',
  'displayName',
  'environment',
  'authorityHost',
  'tenantId',
  'notes',
])

/**
 * The values of a profile that belong to another known cloud than its login authority. `environment` plays no part, and a value that all
 * clouds share, such as the storage audience, belongs to none. Pure.
 */
export function findForeignValues(profile: CloudProfile, origins: FieldOrigins = {}): ForeignValue[] {
  const [profileCloud] = ownerOfValue(profile.authorityHost)?.clouds ?? []
  return leavesOf(profile).flatMap(([path, value]) => {
    if (notCompared.has(path)) return []
    const clouds = ownerOfValue(value)?.clouds ?? []
    if (clouds.length === 0 || (profileCloud !== undefined && clouds.includes(profileCloud))) return []
    return [{ path, value, clouds, profileCloud, from: origins[path]?.from }]
  })
}

/**
 * The texts of a profile by path, in the order of the profile. It does not use the table of fields, which would add zod to the chunk of the
 * lint.
 */
function leavesOf(group: object, prefix = ''): (readonly [path: FieldPath, value: string])[] {
  return Object.entries(group).flatMap(([key, value]: [string, unknown]) => {
    if (isObject(value)) return leavesOf(value, `${prefix}${key}.`)
    const path = `${prefix}${key}` as FieldPath
    return typeof value === 'string' ? [[path, value] as const] : []
  })
}

const cloudTitles: Readonly<Record<CloudName, string>> = {
  public: 'the public cloud',
  usgovernment: 'the US government cloud',
  china: 'the China cloud',
}

/** {@link findForeignValues} as warnings. */
export function foreignValueWarnings(profile: CloudProfile, origins?: FieldOrigins): Warning[] {
  return findForeignValues(profile, origins).map(foreignValueWarning)
}

function foreignValueWarning({ path, value, clouds, profileCloud, from }: ForeignValue): Warning {
  const owners = clouds.map((cloud) => cloudTitles[cloud]).join(' and ')
  const own = profileCloud === undefined ? 'a private cloud' : cloudTitles[profileCloud]
  const origin = from === undefined ? '' : ` (from ${escapeHidden(from)})`
  const message = `${path} is ${showValue(value)}, which belongs to ${owners}, but authorityHost belongs to ${own}${origin}`
  return { code: 'FOREIGN_VALUE', message }
}
