import type { Warning } from '../errors.ts'
import type { CloudProfile } from './cloud-profile.ts'
import { derivedValues, type GivenValue } from './derived-values.ts'
import {
  describeSource,
  type ExplainedField,
  type ExplainedProfile,
  type FieldOrigin,
  type ProfileSource,
  type SelectedBy,
} from './explained-profile.ts'
import { withoutBlanks } from './find-problems.ts'
import { textsOf } from '../base/json.ts'
import { withValueAt, type FieldPath } from './field-path.ts'
import type { Override } from './overrides.ts'
import { parseWithOrigins } from './parse-cloud-profile.ts'
import { placeholderFields } from './placeholders.ts'
import { redact } from '../base/show-value.ts'
import { findUnknownFields } from './unknown-fields.ts'

/**
 * Applies overrides to a document, validates the result and names the origin of each field. The warnings are about unknown fields,
 * placeholders and differing audiences; `lintProfile` has the others.
 *
 * @param overrides If two replace one field, the first wins.
 * @throws {ServiceError} `PROFILE_INVALID` with the origin of each wrong field.
 */
export function explainDocument(
  input: unknown,
  source: ProfileSource,
  overrides: readonly Override[],
  selectedBy: SelectedBy = 'option',
): ExplainedProfile {
  const document = withoutBlanks(input)
  const origin = describeSource(source)
  const given: readonly GivenValue[] = overrides.map(({ path, value, variable }) => ({ path, value, from: variable }))
  const all = [...given, ...derivedValues(document, given, source.kind === 'built-in')]

  const winners = new Map<FieldPath, GivenValue>()
  for (const each of all) if (!winners.has(each.path)) winners.set(each.path, each)
  let merged = document
  for (const { path, value } of winners.values()) merged = withValueAt(merged, path, value)
  const profile = parseWithOrigins(
    withoutBlanks(merged),
    origin,
    (path) => winners.get(path as FieldPath)?.from ?? origin,
  )

  const fields: Record<string, ExplainedField> = {}
  const original = new Map(textsOf(document))
  // The values of the profile in its order, then those that were dropped.
  const paths = new Set([...textsOf(profile).map(([path]) => path as FieldPath), ...winners.keys()])
  for (const path of paths) {
    const candidates: FieldOrigin[] = all.filter((each) => each.path === path)
    const value = original.get(path)
    if (value !== undefined) candidates.push({ value, from: origin })
    const [winner, ...overridden] = candidates.map(({ value, from }) => ({ value, from }))
    if (winner !== undefined)
      fields[path] = overridden.length > 0 ? { ...winner, overridden: overridden.map(shownOverridden) } : winner
  }
  // A built-in has no unknown field, and the search would slow down every cold start.
  const unknown = source.kind === 'file' ? findUnknownFields(document) : []
  return { profile, source, selectedBy, fields, warnings: [...unknown, ...profileWarnings(profile)] }
}

/** An overridden value was never validated: it may contain a password, and have any length. */
function shownOverridden({ value, from }: FieldOrigin): FieldOrigin {
  return { value: redact(value), from }
}

function profileWarnings(profile: CloudProfile): Warning[] {
  const warnings: Warning[] = []
  const placeholders = placeholderFields(profile)
  if (placeholders.length > 0) {
    warnings.push({
      code: 'PLACEHOLDER_FIELD',
      message: `Ask the cloud operator for the values of ${placeholders.join(', ')}, which are placeholders`,
    })
  }
  if (profile.serviceAudiences.arm !== profile.resourceManagerAudience) {
    warnings.push({
      code: 'ARM_AUDIENCE_DIFFERS',
      message:
        'serviceAudiences.arm differs from resourceManagerAudience; tokens are requested for resourceManagerAudience (no variable overrides serviceAudiences.arm)',
    })
  }
  return warnings
}
