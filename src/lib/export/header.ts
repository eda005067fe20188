import type { CloudProfile } from '../profile/cloud-profile.ts'
import { placeholderFields } from '../profile/placeholders.ts'
import { inComment } from './quote.ts'

/**
 * The first lines of an export: which profile it was made from, and what is still a placeholder.
 *
 * @param comment What starts a line comment, such as `#`.
 */
export function header(profile: CloudProfile, comment: string, ...more: readonly string[]): string {
  const placeholders = placeholderFields(profile)
  return [
    `${inComment(profile.displayName)} (${inComment(profile.name)}): made from its cloud profile. Holds no secret.`,
    ...(placeholders.length > 0 ? [`Still placeholders, which reach nothing: ${placeholders.join(', ')}.`] : []),
    ...more,
  ]
    .map((line) => `${comment} ${line}\n`)
    .join('')
}
