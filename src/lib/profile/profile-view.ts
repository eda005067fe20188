import {
  describeSource,
  type ExplainedField,
  type ExplainedProfile,
  type ProfileSource,
  type SelectedBy,
} from './explained-profile.ts'
import { fieldPaths, type FieldPath } from './field-path.ts'
import { overrideVariables } from './overrides.ts'
import { isPlaceholder } from './placeholders.ts'

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
