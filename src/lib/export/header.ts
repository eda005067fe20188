import type { CloudProfile } from '../profile/cloud-profile.ts'
import { placeholderFields } from '../profile/placeholders.ts'
import { lastRunOf } from './last-run.ts'
import { inComment } from './quote.ts'

/**
 * The first lines of an export: what it is, with which client it last ran, and only then which profile it was made
 * from. Some languages take orders from their first two lines (an encoding, an interpreter, an editor's mode), so no
 * text of a profile stands there.
 *
 * @param format Name of the export.
 * @param comment What starts a line comment, such as `#`.
 */
export function header(profile: CloudProfile, format: string, comment: string, ...more: readonly string[]): string {
  const placeholders = placeholderFields(profile)
  const lastRun = lastRunOf(format)
  return [
    `The export ${format} of a cloud profile, made by cloud-profile-service. Holds no secret.`,
    lastRun === undefined ? 'No run with the client itself is on record.' : `Last run with ${lastRun}.`,
    `Profile: ${inComment(profile.name)} (${inComment(profile.displayName)})`,
    ...(placeholders.length > 0 ? [`Still placeholders, which reach nothing: ${placeholders.join(', ')}.`] : []),
    ...more,
  ]
    .map((line) => `${comment} ${line}\n`)
    .join('')
}
