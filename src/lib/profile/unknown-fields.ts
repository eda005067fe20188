import type { Warning } from '../errors.ts'
import { fields } from './field-path.ts'
import { isObject, valueAt } from '../base/json.ts'
import { nearestName } from '../base/nearest-name.ts'
import { quote } from '../base/printable.ts'

/** How many unknown fields are named: a file that is not a profile may have thousands. */
const most = 20

/**
 * Fields of a document that no profile has, as warnings with the nearest known name. Not errors: an older build must accept a newer file.
 * Editors use `$schema`, so it is accepted silently.
 */
export function findUnknownFields(document: unknown): Warning[] {
  const groups = ['', ...fields.filter(({ isGroup }) => isGroup).map(({ path }) => path)]
  return groups.flatMap((group) => {
    const prefix = group === '' ? '' : `${group}.`
    const known = fields.flatMap(({ path }) => {
      const key = path.slice(prefix.length)
      return path.startsWith(prefix) && !key.includes('.') ? [key] : []
    })
    return unknownKeys(
      group === '' ? document : valueAt(document, group),
      group === '' ? ['$schema', ...known] : known,
      prefix,
    )
  })
}

function unknownKeys(value: unknown, known: readonly string[], prefix: string): Warning[] {
  if (!isObject(value)) return []
  const unknown = Object.keys(value).filter((key) => !known.includes(key))
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
