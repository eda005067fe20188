import { type CloudMetadata, allowedAudience } from './metadata/cloud-metadata.ts'
import { scopeFor } from './profile/endpoints.ts'
import { discoverProfile, type DiscoverOptions } from './metadata/discover-cloud.ts'
import { ownData, textAt } from './base/json.ts'
import { withFixes } from './fixes.ts'
import { parseCloudMetadata as parse } from './metadata/parse-cloud-metadata.ts'
import type { CloudProfile } from './clouds/cloud-profile.ts'
import { checkOptions, checkArgument, type OptionRules, rule, rules } from './profile/check-arguments.ts'

// The entry `cloud-profile-service/metadata`: documents that live clouds publish about themselves.

export type { CloudMetadata } from './metadata/cloud-metadata.ts'
export type { DiscoverOptions } from './metadata/discover-cloud.ts'
export { metadataUrl } from './profile/endpoints.ts'

const discoverRules: OptionRules<DiscoverOptions> = {
  signal: rules.signal,
  timeoutMs: rules.milliseconds,
  env: rules.variables,
}

/**
 * Requests the metadata of a cloud from its resource manager: one GET without authentication, without redirects, of at most 1 MiB. A cloud that
 * refuses the first version is asked for newer ones. A failure is an error, never a default.
 *
 * @param from The address of a resource manager or of its metadata, or a profile. With a profile, its metadataEndpoint is requested, and must
 *   describe its resourceManagerEndpoint.
 * @param options The environment may name a proxy. Default is the environment of the process.
 * @throws {ServiceError} `METADATA_NOT_CONFIGURED`, `PLACEHOLDER_PROFILE`, `METADATA_INVALID`,
 *   `METADATA_CLOUD_NOT_LISTED`, or a network failure such as `METADATA_UNTRUSTED`.
 */
export async function discoverCloud(
  from: CloudProfile | string,
  options: DiscoverOptions = {},
): Promise<CloudMetadata> {
  return withFixes(async () => {
    checkArgument('from', from, rules.source)
    const own = checkOptions<DiscoverOptions>(options, discoverRules)
    return discoverProfile(ownData(from), { ...own, env: own.env ?? process.env })
  })
}

/**
 * The scope of resource manager tokens, from the audience that a cloud publishes. A stack generates its audience, so only its metadata has it.
 *
 * @throws {ServiceError} `METADATA_INVALID` for an audience that doesn't belong to the profile's resource manager: a token for it could be
 *   used elsewhere.
 */
export function discoveredScope(profile: CloudProfile, metadata: CloudMetadata): string {
  return withFixes(() => {
    checkArgument('profile', profile, rules.profile)
    const isMetadata = (value: unknown) => textAt(value, 'audiences.0') !== undefined
    checkArgument('metadata', metadata, rule('the result of discoverCloud', isMetadata))
    return scopeFor(allowedAudience(ownData(profile), ownData(metadata)))
  })
}

/**
 * Reads a metadata document of any known version. Makes no request.
 *
 * @param document Parsed JSON: one cloud, or a list of clouds.
 * @param endpoint The resource manager or metadata endpoint that was requested. It selects the entry of a list; a document that describes
 *   only other clouds is refused.
 * @throws {ServiceError} `METADATA_INVALID` that names the field, `METADATA_CLOUD_NOT_LISTED`, or `ARGUMENT_INVALID` for the endpoint.
 */
export function parseCloudMetadata(document: unknown, endpoint: string): CloudMetadata {
  return withFixes(() => parse(document, endpoint))
}
