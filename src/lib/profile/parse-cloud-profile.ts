import type { $ZodIssue } from 'zod/v4/core'
import { isObject, textsOf, valueAt } from '../base/json.ts'
import { nearestName } from '../base/names.ts'
import { escapeHidden, quote, showValue } from '../base/printable.ts'
import { referenceProblem } from '../base/references.ts'
import { knownClouds, servicesOf } from '../clouds/known-clouds.ts'
import { ServiceError, type Warning } from '../errors.ts'
import { cloudEnvironments, type CloudProfile } from '../clouds/cloud-profile.ts'
import { profileTable } from './profile-table.ts'
import { type FieldPath, fields } from './field-path.ts'
import { issuesOf } from './document-schema.ts'
import { brokenRule, type Field } from './field.ts'

/**
 * Checks a document as a cloud profile. Nothing is repaired; a blank optional field counts as absent.
 *
 * @param input Any parsed JSON.
 * @param source The name of the document in the error, such as a file's path. Default is `cloud profile`.
 * @returns A copy with the fields of a profile, in their order, and no other.
 * @throws {ServiceError} `PROFILE_INVALID` that lists every problem at once, each with its dotted field path; `REFERENCE_UNRESOLVED` if a
 *   field holds a text that a deployment tool should have replaced.
 */
export function parseCloudProfile(input: unknown, source = 'cloud profile'): CloudProfile {
  return parseWithOrigins(withoutBlanks(input), source, () => source)
}

/** As {@link parseCloudProfile}, with the origin of each field in the error (a file, a variable's name). */
export function parseWithOrigins(input: unknown, source: string, originOf: (path: string) => string): CloudProfile {
  // The fields that a deployment tool should have filled.
  const references = textsOf(input).flatMap(([path, value]) => {
    const message = referenceProblem(value)
    return message === undefined ? [] : { path, message }
  })
  const { profile, problems = [] } = checkDocument(input)
  if (profile !== undefined && references.length === 0) return profile
  // A reference most often breaks the rule of its field too.
  const others = problems.filter(({ path }) => references.every((reference) => reference.path !== path))
  const named = [...references, ...others].map((problem) => {
    const origin = originOf(problem.path)
    return { ...problem, message: `${problem.message}${origin === source ? '' : ` (from ${escapeHidden(origin)})`}` }
  })
  const code = references.length > 0 ? 'REFERENCE_UNRESOLVED' : 'PROFILE_INVALID'
  throw new InvalidProfileError(code, source, named, findUnknownFields(input))
}

/** All that is wrong with a profile, and the fields beside it that no profile has: one of them may be meant for a missing one. */
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
    super(code, [`Invalid cloud profile in ${escapeHidden(source)}:`, ...lines.map((line) => `  ${line}`)].join('\n'))
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

/** The fields of a valid document, in the order of the table and without unknown fields; or all problems, in the same order. */
export type CheckedDocument =
  | { readonly profile: CloudProfile; readonly problems?: never }
  | { readonly profile?: never; readonly problems: readonly ProfileProblem[] }

/** Checks a document against the table. A field that breaks several rules is reported once, by the most specific rule. */
export function checkDocument(document: unknown): CheckedDocument {
  const issues = issuesOf(document)
  if (issues.length === 0) return { profile: arranged(document) }
  return { problems: issues.flatMap((issue) => problemsOf(issue, document)) }
}

/** The first rule of a field that a text breaks, as the error of a profile has it; `undefined` if it meets them all. */
export function problemOfValue(path: FieldPath, value: string): string | undefined {
  const field = path.split('.').reduce<Field | undefined>(fieldAt, profileTable)
  const rule = field !== undefined && 'rules' in field && brokenRule(field.rules, value)
  return rule ? `${rule.message}, but is ${showValue(value)}` : undefined
}

/** The fields of a valid document in the order of the table, and no other. */
export function arranged(document: unknown): CloudProfile {
  return arrange(document, profileTable) as CloudProfile
}

function arrange(value: unknown, field: Field): unknown {
  if (!isObject(value)) return value
  const kept: Record<string, unknown> = {}
  for (const key of Object.keys(field.kind === 'group' ? field.fields : value)) {
    const below = fieldAt(field, key)
    if (below === undefined || !Object.hasOwn(value, key)) continue
    const each = arrange(value[key], below)
    if (below.isOptional !== true || !isBlank(each, below)) kept[key] = each
  }
  return kept
}

/**
 * A copy without the optional fields that are blank, and without an optional group that holds nothing: they count as
 * absent, as a blank variable counts as unset.
 */
export function withoutBlanks(document: unknown, field: Field = profileTable): unknown {
  if (!isObject(document)) return document
  const kept = Object.entries(document).flatMap(([key, value]) => {
    const below = fieldAt(field, key)
    if (below === undefined) return [[key, value]]
    const copy = withoutBlanks(value, below)
    return below.isOptional === true && isBlank(copy, below) ? [] : [[key, copy]]
  })
  return Object.fromEntries(kept)
}

function fieldAt(field: Field | undefined, key: string): Field | undefined {
  if (field?.kind === 'record') return field.values
  return field?.kind === 'group' && Object.hasOwn(field.fields, key) ? field.fields[key] : undefined
}

function isBlank(value: unknown, { kind }: Field): boolean {
  if (kind === 'text') return typeof value === 'string' && value.trim() === ''
  return isObject(value) && Object.keys(value).length === 0
}

/** A missing group is missing in each of its fields, so that one round names them all. */
function problemsOf(issue: $ZodIssue, document: unknown): ProfileProblem[] {
  const path = issue.path.join('.')
  if (path === '') return [{ path, message: `must be an object, but is ${kindOf(document)}` }]
  if (issue.code === 'invalid_key') return [{ path, message: `the name ${issue.issues[0]?.message ?? 'is invalid'}` }]
  const value = valueAt(document, path)
  if (value !== undefined) return [{ path, message: `${ruleOf(issue)}, but is ${showValue(value)}` }]
  const leaves = fields.filter((row) => row.path.startsWith(`${path}.`) && row.field.isOptional !== true)
  if (leaves.length > 0) return leaves.map((leaf) => ({ path: leaf.path, message: 'is missing' }))
  return [{ path, message: issue.code === 'invalid_value' ? `is missing; it ${ruleOf(issue)}` : 'is missing' }]
}

const typeNames: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  number: 'a number',
  boolean: 'true or false',
}

function ruleOf(issue: $ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? 'a string'}`
    case 'invalid_value':
      return `must be one of ${cloudEnvironments.join(', ')}`
    default:
      return issue.message
  }
}

/** A document that is no object may be the wrong file and contain a secret: the message names only its kind. */
function kindOf(document: unknown): string {
  if (document === undefined) return 'missing'
  return typeof document === 'string' ? 'a string' : showValue(document)
}

/** How many unknown fields are named: a file that is not a profile may have thousands. */
const most = 20

/**
 * Fields of a document that no profile has, as warnings with the nearest known name. Not errors: an older build must accept a newer file.
 * Editors use `$schema`, so it is accepted silently. A cloud may have further services, so only a name that resembles a known one is a warning.
 */
export function findUnknownFields(document: unknown): Warning[] {
  const { $schema: _editor, ...known } = isObject(document) ? document : {}
  return [...unknownFieldsIn(known, profileTable, '', ['$schema']), ...unknownServices(known['services'])]
}

function unknownFieldsIn(value: unknown, field: Field, prefix: string, others: readonly string[] = []): Warning[] {
  if (!isObject(value)) return []
  const keys = Object.keys(value)
  const known = field.kind === 'group' ? [...others, ...Object.keys(field.fields)] : keys
  const below = known.flatMap((key) => {
    const each = fieldAt(field, key)
    return each === undefined ? [] : unknownFieldsIn(value[key], each, `${prefix}${key}.`)
  })
  return [...unknownKeys(keys, known, prefix), ...below]
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
