import { distance } from 'fastest-levenshtein'
import type { Warning } from '../errors.ts'
import { fieldPaths, isObject } from './field-path.ts'
import { quote } from './show-value.ts'

const groups = [...new Set(fieldPaths.filter((path) => path.includes('.')).map((path) => path.split('.')[0] ?? path))]

/** Unknown fields that are named one by one: a file that is no profile at all may have thousands. */
const most = 20

/**
 * Fields of a document that no profile has, as warnings with the nearest known name. Not errors: an older build
 * must accept a newer file. `$schema` is what editors look for and is accepted silently.
 */
export function findUnknownFields(document: unknown): Warning[] {
  const topLevel = [...new Set(fieldPaths.map((path) => path.split('.')[0] ?? path))]
  const warnings = unknownKeys(document, ['$schema', ...topLevel], '')
  for (const group of groups) {
    const known = fieldPaths.filter((path) => path.startsWith(`${group}.`)).map((path) => path.slice(group.length + 1))
    const value = isObject(document) ? document[group] : undefined
    warnings.push(...unknownKeys(value, known, `${group}.`))
  }
  return warnings
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

/** The known name at the smallest edit distance, if it is near enough to be meant. Case counts as no difference. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > 64) return undefined
  const [best] = known
    .map((candidate) => ({ candidate, edits: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return best !== undefined && best.edits <= Math.max(2, Math.floor(name.length / 3)) ? best.candidate : undefined
}
