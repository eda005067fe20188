import type { CloudProfile } from '../profile/cloud-profile.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import { foreignValueWarnings } from '../profile/foreign-values.ts'
import { explainProfile, type ResolveOptions } from '../profile/resolve-cloud-profile.ts'
import { checkOptions, rules, type OnlyKnown, type OptionRules } from './check-arguments.ts'

const resolveRules: OptionRules<ResolveOptions> = {
  customProfilePath: rules.text,
  name: rules.text,
  env: rules.variables,
  overrideCustomProfile: rules.flag,
}

/**
 * Resolves the one cloud profile of this process: a custom file, else a built-in with the override variables applied.
 *
 * @throws {ServiceError} `UNSUPPORTED_CLOUD`, `PROFILE_UNREADABLE`, `PROFILE_INVALID`, `REFERENCE_UNRESOLVED`, `SETTING_INVALID` or
 *   `ARGUMENT_INVALID`.
 */
export function resolveCloudProfile<K extends PropertyKey>(options: OnlyKnown<K, ResolveOptions> = {}): CloudProfile {
  checkOptions(options, resolveRules)
  return explainProfile(options).profile
}

/** As {@link resolveCloudProfile}, with the source of each field and the warnings. */
export function explainCloudProfile<K extends PropertyKey>(
  options: OnlyKnown<K, ResolveOptions> = {},
): ExplainedProfile {
  checkOptions(options, resolveRules)
  const explained = explainProfile(options)
  const { profile, fields, warnings, clouds } = explained
  return { ...explained, warnings: [...warnings, ...foreignValueWarnings(profile, fields, clouds)] }
}
