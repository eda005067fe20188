import * as z from 'zod/v4/core'
import type { Warning } from '../errors.ts'
import { isObject } from '../base/json.ts'
import { nearestName } from '../base/names.ts'
import { quote } from '../base/printable.ts'
import { knownClouds } from '../clouds/known-clouds.ts'
import { servicesOf } from '../clouds/services-of.ts'
import { profileTable } from './cloud-profile.ts'

/** How many unknown fields are named: a file that is not a profile may have thousands. */
const most = 20

/**
 * Fields of a document that no profile has, as warnings with the nearest known name. Not errors: an older build must accept a newer file.
 * Editors use `$schema`, so it is accepted silently. A cloud may have further services, so only a name that resembles a known one is a
 * warning.
 */
export function findUnknownFields(document: unknown): Warning[] {
  const { $schema: _editor, ...known } = isObject(document) ? document : {}
  return [...unknownFieldsIn(known, profileTable, '', ['$schema']), ...unknownServices(known['services'])]
}

function unknownFieldsIn(
  value: unknown,
  schema: z.$ZodType,
  prefix: string,
  others: readonly string[] = [],
): Warning[] {
  if (!isObject(value)) return []
  if (schema instanceof z.$ZodOptional) return unknownFieldsIn(value, schema._zod.def.innerType, prefix)
  if (schema instanceof z.$ZodRecord) {
    const { valueType } = schema._zod.def
    return Object.entries(value).flatMap(([key, each]) => unknownFieldsIn(each, valueType, `${prefix}${key}.`))
  }
  if (!(schema instanceof z.$ZodObject)) return []
  const { shape } = schema._zod.def
  const below = Object.entries(shape).flatMap(([key, field]) => unknownFieldsIn(value[key], field, `${prefix}${key}.`))
  return [...unknownKeys(Object.keys(value), [...others, ...Object.keys(shape)], prefix), ...below]
}

function unknownKeys(keys: readonly string[], known: readonly string[], prefix: string): Warning[] {
  const unknown = keys.filter((key) => !known.includes(key))
  const warnings = unknown.slice(0, most).map((key): Warning => {
    const nearest = nearestName(key, known)
    const hint = nearest === undefined ? '' : `; did you mean ${prefix}${nearest}?`
    const shown = quote(`${prefix}${key}`.slice(0, 80))
    return { code: 'UNKNOWN_FIELD', message: `Unknown field ${shown} is ignored${hint}` }
  })
  const more = unknown.length - warnings.length
  if (more > 0) warnings.push({ code: 'UNKNOWN_FIELD', message: `${more} more unknown fields are ignored` })
  return warnings
}

function unknownServices(services: unknown): Warning[] {
  if (!isObject(services)) return []
  const known = new Set(knownClouds.flatMap((cloud) => Object.keys({ ...servicesOf(cloud), ...cloud.services })))
  const names = Object.keys(services).filter((name) => !known.has(name))
  return names.slice(0, most).flatMap((name): Warning[] => {
    const nearest = nearestName(name, [...known])
    if (nearest === undefined) return []
    const message = `No known cloud has a service ${quote(name.slice(0, 80))}; did you mean services.${nearest}?`
    return [{ code: 'UNKNOWN_FIELD', message }]
  })
}
