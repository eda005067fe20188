import { isObject, textsOf } from '../base/json.ts'
import type { CloudProfile, CloudService } from '../clouds/cloud-profile.ts'
import { profileTable } from './profile-table.ts'
import type { Field, GroupField } from './field.ts'

/** A text of a profile as a dotted path, such as `serviceDnsSuffixes.storage`; a member of a list has its position. */
export type FieldPath =
  | Exclude<keyof CloudProfile, 'serviceDnsSuffixes' | 'serviceAudiences' | 'services' | 'aliases' | 'toolNames'>
  | `serviceDnsSuffixes.${keyof CloudProfile['serviceDnsSuffixes']}`
  | `serviceAudiences.${keyof CloudProfile['serviceAudiences']}`
  | `services.${string}.${keyof CloudService}`
  | `aliases.${keyof NonNullable<CloudProfile['aliases']>}.${number}`
  | `toolNames.${string}`

/** A field of the table with its place. The fields below a record have no rows, because an author chooses their names. */
export interface FieldRow {
  /** Dotted. */
  readonly path: string
  readonly field: Field
}

/** Every field and group of a profile in display order, a group before its leaves. */
export const fields: readonly FieldRow[] = rowsOf(profileTable, '')

/** Every text of a profile whose path is known beforehand, in the same order. */
export const fieldPaths = fields
  .filter(({ field: { kind } }) => kind === 'text' || kind === 'choice')
  .map(({ path }) => path as FieldPath)

function rowsOf({ fields }: GroupField, prefix: string): FieldRow[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const path = `${prefix}${key}`
    return [{ path, field }, ...(field.kind === 'group' ? rowsOf(field, `${path}.`) : [])]
  })
}

/** Which variable replaces which field. Of two variables for one field the first one set wins. */
export const overrideVariables: Readonly<Record<string, FieldPath>> = Object.fromEntries(
  fields.flatMap(({ path, field: { overrides = [] } }) => overrides.map((variable) => [variable, path as FieldPath])),
)

/**
 * A copy of the document with one leaf replaced. Creates a missing group. Leaves a document or group that is not an object unchanged, for
 * validation to refuse. Does not change the document itself.
 */
export function withValueAt<T>(document: T, path: FieldPath, value: string): T {
  return withValue(document, path.split('.'), value) as T
}

function withValue(document: unknown, [key, ...rest]: readonly string[], value: string): unknown {
  if (!isObject(document) || key === undefined) return document
  const { [key]: group = {} } = document
  return { ...document, [key]: rest.length === 0 ? value : withValue(group, rest, value) }
}

/**
 * Whether a URL or DNS suffix lies in the reserved `.invalid` domain (RFC 2606), where built-in profiles keep what
 * only an enclave's operator knows. Nothing there can ever resolve, so no secret can reach a real host.
 */
export function isPlaceholder(value: string): boolean {
  // Most values do not hold the word at all, and every cold start asks.
  if (!value.toLowerCase().includes('.invalid')) return false
  const host = value.startsWith('.') ? value : URL.canParse(value) ? new URL(value).hostname : ''
  return /\.invalid\.?$/i.test(host)
}

/** The fields of a profile that still hold a placeholder, in the profile's order. */
export function placeholderFields(profile: CloudProfile): FieldPath[] {
  return textsOf(profile).flatMap(([path, value]) => (isPlaceholder(value) ? [path as FieldPath] : []))
}
