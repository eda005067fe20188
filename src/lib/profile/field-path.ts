import type * as z from 'zod/v4/core'
import { isObject, ownCopy, textsOf } from '../base/json.ts'
import { type CloudProfile, cloudProfileSchema } from '../clouds/cloud-profile.ts'
import { type FieldFacts, fieldFacts } from '../clouds/field-rules.ts'

/** A text of a profile as a dotted path, such as `serviceDnsSuffixes.storage`; a member of a list has its position. */
export type FieldPath =
  | Exclude<
      keyof CloudProfile,
      'serviceDnsSuffixes' | 'serviceAudiences' | 'services' | 'aliases' | 'toolNames' | 'absent'
    >
  | `serviceDnsSuffixes.${keyof CloudProfile['serviceDnsSuffixes']}`
  | `serviceAudiences.${keyof CloudProfile['serviceAudiences']}`
  | `services.${string}.${keyof NonNullable<CloudProfile['services']>[string]}`
  | `aliases.${keyof NonNullable<CloudProfile['aliases']>}.${number}`
  | `toolNames.${string}`
  | `absent.${number}`

/** A field of the schema. */
export interface Field extends Partial<FieldFacts> {
  readonly schema: z.$ZodTypes
  readonly isOptional: boolean
}

/** A field with its dotted path. */
type FieldRow = Field & { readonly path: string }

function fieldOf(given: z.$ZodType): Field {
  const { def } = (given as z.$ZodTypes)._zod
  const schema = (def.type === 'optional' ? def.innerType : given) as z.$ZodTypes
  return { schema, isOptional: def.type === 'optional', ...fieldFacts.get(schema) }
}

/** The whole profile as a field. */
export const profileField = fieldOf(cloudProfileSchema)

/** The fields of a group; `undefined` for any other field. */
export function shapeOf({ schema }: Field): Readonly<Record<string, z.$ZodType>> | undefined {
  return schema._zod.def.type === 'object' ? schema._zod.def.shape : undefined
}

/** The field below a field; `undefined` if the schema has none of that name. */
export function fieldBelow(field: Field, key: string): Field | undefined {
  const { def } = field.schema._zod
  if (def.type === 'record') return fieldOf(def.valueType)
  if (def.type === 'array') return fieldOf(def.element)
  const below = def.type === 'object' && Object.hasOwn(def.shape, key) ? def.shape[key] : undefined
  return below && fieldOf(below)
}

/** Every field and group in display order, a group before its leaves. A record has no rows below it, because an author chooses their names. */
export const fields: readonly FieldRow[] = rowsOf(profileField, '')

/** Every text of a profile with a fixed path, in the same order. */
export const fieldPaths = fields
  .filter(({ schema: { _zod } }) => _zod.def.type === 'string' || _zod.def.type === 'enum')
  .map(({ path }) => path as FieldPath)

function rowsOf(group: Field, prefix: string): FieldRow[] {
  return Object.entries(shapeOf(group) ?? {}).flatMap(([key, schema]) => {
    const row = { path: `${prefix}${key}`, ...fieldOf(schema) }
    return [row, ...rowsOf(row, `${row.path}.`)]
  })
}

/** The field that each variable replaces. If two variables replace one field, the first that is set wins. */
export const overrideVariables: Readonly<Record<string, FieldPath>> = Object.fromEntries(
  fields.flatMap(({ path, overrides = [] }) => overrides.map((variable) => [variable, path as FieldPath])),
)

/** A copy with one leaf replaced, or removed without a value. Creates a missing group. Anything but an object stays, for validation to refuse. */
export function withValueAt<T>(document: T, path: FieldPath, value: string | undefined): T {
  return withValue(document, path.split('.'), value) as T
}

function withValue(document: unknown, [key, ...rest]: readonly string[], value: string | undefined): unknown {
  if (!isObject(document) || key === undefined) return document
  const { [key]: group = ownCopy({}), ...others } = ownCopy(document)
  if (rest.length === 0 && value === undefined) return ownCopy(others)
  return ownCopy({ ...document, [key]: rest.length === 0 ? value : withValue(group, rest, value) })
}

/** Whether a URL or DNS suffix is in the domain `.invalid`, where no name resolves (RFC 2606): only the operator of the cloud knows the value. */
export function isPlaceholder(value: string): boolean {
  // Most values don't contain the word, and every cold start checks them all.
  if (!value.toLowerCase().includes('.invalid')) return false
  const host = value.startsWith('.') ? value : URL.canParse(value) ? new URL(value).hostname : ''
  return /\.invalid\.?$/i.test(host)
}

/** The fields of a profile that still need a value, in the profile's order: placeholders that the profile doesn't declare absent. */
export function placeholderFields(profile: CloudProfile): FieldPath[] {
  const absent = new Set<string>(profile.absent?.flatMap(valuesOfAbsent))
  const open = textsOf(profile).filter(([path, value]) => isPlaceholder(value) && !absent.has(path))
  return open.map(([path]) => path as FieldPath)
}

/** The fields that an entry of `absent` declares: its path, or every value of the service that it names. */
export function valuesOfAbsent(entry: string): FieldPath[] {
  if (entry.includes('.')) return [entry as FieldPath]
  const service = entry === 'blob' ? 'storage' : entry
  const keys = ['dnsSuffix', 'url', 'audience'] as const
  const own = [`serviceDnsSuffixes.${service}`, `serviceAudiences.${service}`] as FieldPath[]
  return [...own, ...keys.map((key): FieldPath => `services.${entry}.${key}`)]
}
