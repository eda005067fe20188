import type { CloudProfile } from '../profile/cloud-profile.ts'
import { placeholderFields } from '../profile/placeholders.ts'
import { describeRuns } from './last-run.ts'
import { inComment } from './quote.ts'

/**
 * The first lines of an export: what it is, with which client it last ran, and only then which profile it was made
 * from. Some languages take orders from their first two lines (an encoding, an interpreter, an editor's mode), so no
 * text of a profile stands there.
 *
 * @param comment The start of a line comment, such as `#`.
 */
export function header(
  profile: CloudProfile,
  comment: string,
  format: { readonly name: string; readonly read?: string },
  notes: readonly string[],
): string {
  const placeholders = placeholderFields(profile)
  return [
    `The export ${format.name} of a cloud profile, made by cloud-profile-service. Holds no secret.`,
    `${describeRuns(format)}.`,
    `Profile: ${inComment(profile.name)} (${inComment(profile.displayName)})`,
    ...(placeholders.length > 0 ? [`Still placeholders, which reach nothing: ${placeholders.join(', ')}.`] : []),
    ...notes,
  ]
    .map((line) => `${comment} ${line}\n`)
    .join('')
}
