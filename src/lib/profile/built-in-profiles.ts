import { builtInDocuments } from '../clouds/known-clouds.ts'

/** The built-in profiles by name, as their files contain them: not yet validated. */
export const builtInProfiles: ReadonlyMap<string, { readonly name: string }> = new Map(
  builtInDocuments.map((document) => [document.name, document]),
)

/** The names PLATFORM_CLOUD accepts. */
export const builtInProfileNames: readonly string[] = [...builtInProfiles.keys()]

/** The profile used when nothing is configured. */
export const defaultProfileName = 'platform-us-government'
