import * as z from 'zod/v4/core'
import { isObject } from '../base/json.ts'
import { CloudProfile } from './cloud-profile.ts'
import { factsOf, type FieldFacts } from './field.ts'

/** A leaf of a profile as a dotted path, such as `serviceDnsSuffixes.storage`. */
export type FieldPath = PathOf<CloudProfile>

type PathOf<T> = {
  [K in keyof T & string]: NonNullable<T[K]> extends object ? `${K}.${PathOf<NonNullable<T[K]>>}` : K
}[keyof T & string]

/** A field of the table, leaf or group. */
export interface Field {
  /** Dotted. */
  readonly path: string
  readonly isGroup: boolean
  readonly isOptional: boolean
  readonly facts: FieldFacts
}

/** Every field and group of a profile in display order, a group before its leaves. */
export const fields: readonly Field[] = fieldsOf(CloudProfile, '')

/** Every leaf of a profile, in the same order. */
export const fieldPaths = fields.filter(({ isGroup }) => !isGroup).map(({ path }) => path as FieldPath)

function fieldsOf({ _zod: { def } }: z.$ZodObject, prefix: string): Field[] {
  return Object.entries(def.shape).flatMap(([key, schema]) => {
    const isOptional = schema instanceof z.$ZodOptional
    const inner = isOptional ? schema._zod.def.innerType : schema
    const path = `${prefix}${key}`
    const isGroup = inner instanceof z.$ZodObject
    const facts = factsOf(schema)
    if (facts === undefined) throw new Error(`${path} has no facts`)
    return [{ path, isGroup, isOptional, facts }, ...(isGroup ? fieldsOf(inner, `${path}.`) : [])]
  })
}

/**
 * A copy of the document with one leaf replaced. Creates a missing group. Leaves a document or group that is not an object unchanged, for
 * validation to refuse. Does not change the document itself.
 */
export function withValueAt<T>(document: T, path: FieldPath, value: string): T {
  if (!isObject(document)) return document
  const [first = path, second] = path.split('.')
  if (second === undefined) return { ...document, [first]: value }
  const { [first]: group = {} } = document
  return isObject(group) ? { ...document, [first]: { ...group, [second]: value } } : document
}
