import type { CloudMetadata } from './cloud-metadata.ts'
import { equalUrls } from './equal-values.ts'

/** Whether two audiences name the same identifier: the letter case of the host and final slashes do not matter. */
export function equalAudiences(one: string, other: string): boolean {
  return equalUrls(one, other)
}

/** A resource manager accepts tokens for every member of its `audiences`, each with and without a final slash. */
export function isAudienceOf({ audiences }: CloudMetadata, audience: string): boolean {
  return audiences.some((member) => equalAudiences(member, audience))
}

/**
 * The audience that tokens for the resource manager are requested for: `audiences[0]`, with the final slash that an
 * audience has by rule. It only separates the identifier from `.default` in the scope.
 */
export function discoveredAudience({ audiences: [audience] }: CloudMetadata): string {
  return audience.endsWith('/') ? audience : `${audience}/`
}
