import * as z from 'zod/v4/core'
import { isObject, ownCopy, ownData, withoutPrototypes, textAt, textsOf, valueAt } from '../base/json.ts'
import { nearestName } from '../base/names.ts'
import { escapeHidden, quote, showValue } from '../base/printable.ts'
import { referenceProblem } from '../base/references.ts'
import { knownClouds, servicesOf } from '../clouds/known-clouds.ts'
import { ServiceError, type Warning } from '../errors.ts'
import { type CloudProfile, cloudProfileSchema } from '../clouds/cloud-profile.ts'
import {
  type Field,
  fieldBelow,
  type FieldPath,
  fields,
  isPlaceholder,
  profileField,
  shapeOf,
  valuesOfAbsent,
} from './field-path.ts'

/** The public function of this name in `index.ts`, without the fix of its errors. */
export function parseCloudProfile(input: unknown, source = 'cloud profile'): CloudProfile {
  return parseWithOrigins(copyOf(input, source), source, () => source)
}

/** As {@link parseCloudProfile}, with the origin of each field in the error. @param texts The texts that may be references. */
export function parseWithOrigins(
  input: unknown,
  source: string,
  originOf: (path: string) => string,
  texts = textsOf(input),
): CloudProfile {
  const references = texts.flatMap(([path, value]) => {
    const message = referenceProblem(value)
    return message === undefined ? [] : { path, message }
  })
  const { profile, problems = [] } = checkDocument(input)
  if (profile !== undefined && references.length === 0) return profile
  // A reference usually breaks the rule of its field too.
  const others = problems.filter(({ path }) => references.every((reference) => reference.path !== path))
  const named = [...references, ...others].map((problem) => {
    const origin = originOf(problem.path)
    return { ...problem, message: `${problem.message}${origin === source ? '' : ` (from ${escapeHidden(origin)})`}` }
  })
  const code = references.length > 0 ? 'REFERENCE_UNRESOLVED' : 'PROFILE_INVALID'
  throw new InvalidProfileError(code, source, named, findUnknownFields(input))
}

/** Every problem of a profile. It also names unknown fields, because one of them may be a misspelled missing field. */
export class InvalidProfileError extends ServiceError {
  readonly problems: readonly ProfileProblem[]
  readonly unknownFields: readonly Warning[]

  constructor(
    code: 'PROFILE_INVALID' | 'REFERENCE_UNRESOLVED',
    source: string,
    problems: readonly ProfileProblem[],
    unknownFields: readonly Warning[],
  ) {
    const lines = [...problems.map(lineOf), ...unknownFields.map(({ message }) => message)]
    super(code, [`Invalid cloud profile in ${escapeHidden(source)}:`, ...lines].join('\n  '))
    this.problems = problems
    this.unknownFields = unknownFields
  }
}

/** A problem as one line. */
export function lineOf({ path, message }: ProfileProblem): string {
  return `${path === '' ? '' : `${path}: `}${message}`
}

/** One problem of a profile. */
export interface ProfileProblem {
  /** Dotted path of the field; empty for the document as a whole. */
  readonly path: string
  readonly message: string
}

type Checked = { readonly profile?: CloudProfile; readonly problems?: readonly ProfileProblem[] }

/** The profile without unknown fields, or all problems, in the order of the fields. A field with several has the most specific one. */
export function checkDocument(document: unknown): Checked {
  const { data, error } = ownCopy(z.safeParse(cloudProfileSchema, document))
  if (error !== undefined) return ownCopy({ problems: error.issues.flatMap((issue) => problemsOf(issue, document)) })
  const profile = withoutPrototypes<unknown>(data) as CloudProfile
  const problems = valuesBesideAbsent(profile)
  return ownCopy(problems.length === 0 ? { profile } : { problems })
}

/** The first rule of a field that a text breaks, as in the error of a profile. `undefined` if the text meets them all. */
export function problemOfValue(path: FieldPath, value: string): string | undefined {
  const field = path.split('.').reduce<Field | undefined>((above, key) => above && fieldBelow(above, key), profileField)
  const [issue] = (field && z.safeParse(field.schema, value).error?.issues) ?? []
  return issue && `${issue.message}, but is ${showValue(value)}`
}

/** A field that is declared absent must have no value that a client could use. */
function valuesBesideAbsent({ absent = [], ...profile }: CloudProfile): ProfileProblem[] {
  return absent.flatMap((entry, index) =>
    valuesOfAbsent(entry).flatMap((path) => {
      const value = textAt(profile, path)
      if (value === undefined || isPlaceholder(value)) return []
      const message = `names ${path}, which is ${showValue(value)}. Remove the name or the value`
      return { path: `absent.${index}`, message }
    }),
  )
}

/** A copy of the own values of a document, without blank optional fields and empty optional groups: a blank variable counts as unset, too. */
export function copyOf(document: unknown, source = 'cloud profile'): unknown {
  try {
    // A spread has a prototype again, so data without one is copied too.
    const own = ownData(isObject(document) ? { ...document } : document)
    removeBlanks(own, profileField)
    return own
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new InvalidProfileError('PROFILE_INVALID', source, [{ path: '', message: error.message }], [])
  }
}

function removeBlanks(group: unknown, field: Field): void {
  if (!isObject(group)) return
  for (const [key, value] of Object.entries(group)) {
    const below = fieldBelow(field, key)
    if (below === undefined) continue
    removeBlanks(value, below)
    if (below.isOptional && isBlank(value, below)) delete group[key]
  }
}

/** A group whose fields are all unknown is blank too. An object in place of a list, a number or a flag is not. */
function isBlank(value: unknown, field: Field): boolean {
  const { type } = field.schema._zod.def
  if (type === 'string') return typeof value === 'string' && value.trim() === ''
  const isGroup = type === 'object' || type === 'record'
  return isGroup && isObject(value) && Object.keys(value).every((key) => fieldBelow(field, key) === undefined)
}

/** Reports a missing group as its missing fields, so that one error names them all. */
function problemsOf(issue: z.$ZodIssue, document: unknown): ProfileProblem[] {
  const path = issue.path.join('.')
  if (path === '') return [{ path, message: `must be an object, but is ${kindOf(document)}` }]
  if (issue.code === 'invalid_key') return [{ path, message: `the name ${issue.issues[0]?.message ?? 'is invalid'}` }]
  const value = valueAt(document, path)
  if (value !== undefined) return [{ path, message: `${issue.message}, but is ${showValue(value)}` }]
  const leaves = fields.filter((row) => row.path.startsWith(`${path}.`) && !row.isOptional)
  if (leaves.length > 0) return leaves.map((leaf) => ({ path: leaf.path, message: 'is missing' }))
  return [{ path, message: issue.code === 'invalid_value' ? `is missing; it ${issue.message}` : 'is missing' }]
}

/** A document that isn't an object may be the wrong file and contain a secret, so the message names only its kind. */
function kindOf(document: unknown): string {
  if (document === undefined) return 'missing'
  return typeof document === 'string' ? 'a string' : showValue(document)
}

/** How many unknown fields are named: a file that is not a profile may have thousands. */
const most = 20

/** Warnings about fields that no profile has, with the nearest known name. Not errors: an older build must accept a newer file. */
export function findUnknownFields(document: unknown): Warning[] {
  // Editors use `$schema`.
  const { $schema: _editor, ...others } = isObject(document) ? document : {}
  const known = ownCopy(others)
  return [...unknownFieldsIn(known, profileField, ''), ...unknownServices(known)]
}

function unknownFieldsIn(value: unknown, field: Field, prefix: string): Warning[] {
  if (!isObject(value)) return []
  const shape = shapeOf(field)
  const known =
    shape === undefined ? Object.keys(value) : [...(prefix === '' ? ['$schema'] : []), ...Object.keys(shape)]
  const unknown = Object.keys(value).filter((key) => !known.includes(key))
  const warnings = unknown.slice(0, most).map((key): Warning => {
    const nearest = nearestName(key, known)
    const hint = nearest === undefined ? '' : `; did you mean ${prefix}${nearest}?`
    const path = `${prefix}${key}`.slice(0, 80)
    return { code: 'UNKNOWN_FIELD', message: `Unknown field ${quote(path)} is ignored${hint}`, field: path }
  })
  const more = unknown.length - warnings.length
  if (more > 0) warnings.push({ code: 'UNKNOWN_FIELD', message: `${more} more unknown fields are ignored` })
  const below = known.flatMap((key) => {
    const each = fieldBelow(field, key)
    return each === undefined ? [] : unknownFieldsIn(value[key], each, `${prefix}${key}.`)
  })
  return [...warnings, ...below]
}

/** Filled at the first file: a cold start has none, and `check` may have a thousand. */
let serviceNames: ReadonlySet<string> | undefined

/** A cloud may have further services, so only a name that resembles a known one is a warning. */
function unknownServices({ services, absent }: Readonly<Record<string, unknown>>): Warning[] {
  const known = (serviceNames ??= new Set(
    knownClouds.flatMap((cloud) => Object.keys({ ...servicesOf(cloud), ...cloud.services })),
  ))
  const own = Object.keys(isObject(services) ? services : {}).map((name) => [`services.${name}`, name] as const)
  const left = textsOf(Array.isArray(absent) ? absent : []).map(([index, name]) => [`absent.${index}`, name] as const)
  const unknown = [...own, ...left].filter(([, name]) => !name.includes('.') && !known.has(name))
  return unknown.slice(0, most).flatMap(([field, name]): Warning[] => {
    const nearest = nearestName(name, [...known])
    if (nearest === undefined) return []
    const message = `No known cloud has a service ${quote(name.slice(0, 80))}; did you mean services.${nearest}?`
    return [{ code: 'UNKNOWN_FIELD', message, field: field.slice(0, 80) }]
  })
}
