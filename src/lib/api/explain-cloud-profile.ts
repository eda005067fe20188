import type { ExplainedProfile } from '../profile/explained-profile.ts'
import { foreignValueWarnings } from '../profile/foreign-values.ts'
import { explainProfile, type ResolveOptions } from '../profile/resolve-cloud-profile.ts'

/** As {@link resolveCloudProfile}, with the source of each field and the warnings. */
export function explainCloudProfile(options: ResolveOptions = {}): ExplainedProfile {
  const explained = explainProfile(options)
  const { profile, fields, warnings } = explained
  return { ...explained, warnings: [...warnings, ...foreignValueWarnings(profile, fields)] }
}
