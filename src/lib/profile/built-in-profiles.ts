import commercial from '../../../cloud-profiles/platform-commercial.json' with { type: 'json' }
import usGovSecret from '../../../cloud-profiles/platform-us-gov-secret.json' with { type: 'json' }
import usGovTopSecret from '../../../cloud-profiles/platform-us-gov-topsecret.json' with { type: 'json' }
import usGovernment from '../../../cloud-profiles/platform-us-government.json' with { type: 'json' }
import stack from '../../../cloud-profiles/platformstack-custom.json' with { type: 'json' }

/** The built-in profiles by name, as their files say them: not yet validated. */
export const builtInProfiles: ReadonlyMap<string, { readonly name: string }> = new Map(
  [commercial, usGovernment, usGovSecret, usGovTopSecret, stack].map((profile) => [profile.name, profile]),
)

/** The names PLATFORM_CLOUD accepts. */
export const builtInProfileNames: readonly string[] = [...builtInProfiles.keys()]

/** The profile used when nothing is configured. */
export const defaultProfileName = 'platform-us-government'
