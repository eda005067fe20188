import { safeParse, type $ZodIssue } from 'zod/v4/core'
import { cloudEnvironments } from './cloud-environment.ts'
import { CloudProfile } from './cloud-profile.ts'
import { holds } from './field.ts'
import { fields, type Field, type FieldPath } from './field-path.ts'
import { isObject, valueAt } from '../base/json.ts'
import { showValue } from '../base/show-value.ts'

/** One problem of a profile. */
export interface ProfileProblem {
  /** Dotted path of the field; empty for the document as a whole. */
  readonly path: string
  readonly message: string
}

/** The fields of a valid document, in the order of the table and without unknown fields; or all problems, in the same order. */
export type CheckedProfile =
  | { readonly profile: CloudProfile; readonly problems?: never }
  | { readonly profile?: never; readonly problems: readonly ProfileProblem[] }

/** Checks a document against the table. A field that breaks several rules is reported once, by the most specific rule. */
export function checkProfile(document: unknown): CheckedProfile {
  const { success, data, error } = safeParse(CloudProfile, document)
  // Blank optional fields are gone, so no field of the copy is `undefined`. A group of unknown fields alone is empty now.
  if (success) return { profile: withoutBlanks(data) as CloudProfile }
  return { problems: error.issues.flatMap((issue) => problemsOf(issue, document)) }
}

/** Whether a text meets the rules of a field. */
export function isValidValue(path: FieldPath, value: string): boolean {
  const rules = fields.find((field) => field.path === path)?.facts.rules ?? []
  return rules.every((rule) => holds(rule, value))
}

/**
 * A copy without the optional fields that are blank, and without an optional group that holds nothing: they count as
 * absent, as a blank variable counts as unset.
 */
export function withoutBlanks(document: unknown): unknown {
  if (!isObject(document)) return document
  // The leaves of a group go before the group.
  return fields.reduceRight(
    (copy, field) =>
      field.isOptional && isBlank(valueAt(copy, field.path), field) ? withoutField(copy, field.path) : copy,
    document,
  )
}

function isBlank(value: unknown, { isGroup }: Field): boolean {
  if (isGroup) return isObject(value) && Object.keys(value).length === 0
  return typeof value === 'string' && value.trim() === ''
}

function withoutField(document: Readonly<Record<string, unknown>>, path: string): Record<string, unknown> {
  const [first = path, ...rest] = path.split('.')
  const { [first]: value, ...others } = document
  return rest.length > 0 && isObject(value)
    ? { ...document, [first]: withoutField(value, rest.join('.')) }
    : { ...others }
}

/** A missing group is missing in each of its fields, so that one round names them all. */
function problemsOf(issue: $ZodIssue, document: unknown): ProfileProblem[] {
  const path = issue.path.join('.')
  if (path === '') return [{ path, message: `must be an object, but is ${kindOf(document)}` }]
  const value = valueAt(document, path)
  if (value !== undefined) return [{ path, message: `${ruleOf(issue)}, but is ${showValue(value)}` }]
  const leaves = fields.filter((field) => field.path.startsWith(`${path}.`) && !field.isOptional)
  if (leaves.length > 0) return leaves.map((leaf) => ({ path: leaf.path, message: 'is missing' }))
  return [{ path, message: issue.code === 'invalid_value' ? `is missing; it ${ruleOf(issue)}` : 'is missing' }]
}

function ruleOf(issue: $ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${issue.expected === 'object' ? 'an object' : 'a string'}`
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
