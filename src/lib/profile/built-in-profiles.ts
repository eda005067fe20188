import type { CloudFile } from '../clouds/cloud-file.ts'
import { builtInClouds } from '../clouds/known-clouds.ts'

/** The built-in profiles by name, as their files contain them: not yet validated. */
export const builtInProfiles: ReadonlyMap<string, CloudFile> = new Map(
  builtInClouds.map((document) => [document.name, document]),
)

/** The names of the built-in profiles. PLATFORM_CLOUD accepts those of {@link knownClouds} too whose files are complete. */
export const builtInProfileNames: readonly string[] = [...builtInProfiles.keys()]

/** The profile used when nothing is configured. */
export const defaultProfileName = 'platform-us-government'
