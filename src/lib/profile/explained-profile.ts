import type { CloudFile } from '../clouds/cloud-file.ts'
import type { Warning } from '../errors.ts'
import type { CloudProfile } from './cloud-profile.ts'
import { type FieldPath, fieldPaths, overrideVariables } from './field-path.ts'
import { isPlaceholder } from './placeholders.ts'

/** The source of a whole profile. */
export type ProfileSource =
  | { readonly kind: 'built-in'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'option' }

/** Why this profile: no variable chose one, the variable that did, or an option of the library or the command line. */
export type SelectedBy = 'default' | 'PLATFORM_CLOUD' | 'CUSTOM_CLOUD_PROFILE_PATH' | 'option'

/** A value and its source: `built-in NAME`, a variable's name, `derived from VARIABLE`, `dropped because of VARIABLE`, `file PATH`, or
 * `option profile`. */
export interface FieldOrigin {
  readonly value: string
  readonly from: string
}

/** A resolved field with the overridden values, strongest first, without parts that may be secret. */
export interface ExplainedField extends FieldOrigin {
  readonly overridden?: readonly FieldOrigin[]
}

/** A resolved profile with the origin of every field and what an operator should know about it. */
export interface ExplainedProfile {
  readonly profile: CloudProfile
  readonly source: ProfileSource
  readonly selectedBy: SelectedBy
  readonly fields: Readonly<Record<string, ExplainedField>>
  readonly warnings: readonly Warning[]
  /** The clouds whose values are recognized, if PLATFORM_KNOWN_CLOUDS names more than the known ones. */
  readonly clouds?: readonly CloudFile[]
}

/** A source as one phrase, as {@link FieldOrigin.from} has it. */
export function describeSource(source: ProfileSource): string {
  if (source.kind === 'option') return 'option profile'
  return source.kind === 'built-in' ? `built-in ${source.name}` : `file ${source.path}`
}

/** What decided a value: the profile itself, a variable, or a rule that derived it from a variable. */
export function deciderOf({ from }: FieldOrigin, source: ProfileSource): 'profile' | 'variable' | 'rule' {
  if (from === describeSource(source)) return 'profile'
  return Object.hasOwn(overrideVariables, from) ? 'variable' : 'rule'
}

/** The override variables that took effect, in the profile's field order. */
export function appliedOverrides({ fields, source }: ExplainedProfile): string[] {
  return Object.values(fields).flatMap((field) => (deciderOf(field, source) === 'variable' ? [field.from] : []))
}

/** A field of a resolved profile, for display. */
export interface FieldView extends ExplainedField {
  readonly path: FieldPath
  /** Whether its value still has to be replaced. */
  readonly placeholder: boolean
  /** The variable that replaces it, if any. */
  readonly variable?: string
}

/** A resolved profile, for display. */
export interface ProfileView {
  readonly source: ProfileSource
  readonly selectedBy: SelectedBy
  /** The source as one phrase, as `from` has it. */
  readonly origin: string
  /** In the profile's order, without fields that have no value. */
  readonly fields: readonly FieldView[]
}

/** Every field with the source of its value, the overridden values, and the variables that may replace it. */
export function viewProfile({ source, selectedBy, fields }: ExplainedProfile): ProfileView {
  const views = fieldPaths.flatMap((path): FieldView[] => {
    const field = fields[path]
    if (field === undefined) return []
    const variable = Object.entries(overrideVariables).find(([, replaced]) => replaced === path)?.[0]
    return [
      { ...field, path, placeholder: isPlaceholder(field.value), ...(variable === undefined ? {} : { variable }) },
    ]
  })
  return { source, selectedBy, origin: describeSource(source), fields: views }
}
