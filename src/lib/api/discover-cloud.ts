import type { CloudMetadata } from '../metadata/cloud-metadata.ts'
import { discoverCloud as askCloud, type DiscoverOptions } from '../metadata/discover-cloud.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { checkOptions, checkSource, rules, type OnlyKnown, type OptionRules } from './check-arguments.ts'

const discoverRules: OptionRules<DiscoverOptions> = {
  signal: rules.signal,
  timeoutMs: rules.milliseconds,
  env: rules.variables,
}

/**
 * Asks a cloud's resource manager what cloud this is: one GET without authentication, without redirects, of at most
 * 1 MiB. A failure is an error, never a default.
 *
 * @param from A resource manager or metadata endpoint; or a profile, whose metadataEndpoint is asked about its
 *   resourceManagerEndpoint.
 * @param options The environment, which may name a proxy, is that of the process unless one is given.
 * @throws {ServiceError} `METADATA_NOT_CONFIGURED`, `PLACEHOLDER_PROFILE`, `METADATA_INVALID`,
 *   `METADATA_CLOUD_NOT_LISTED`, or a network failure such as `METADATA_UNTRUSTED`.
 */
export async function discoverCloud<K extends PropertyKey>(
  from: CloudProfile | string,
  options: OnlyKnown<K, DiscoverOptions> = {},
): Promise<CloudMetadata> {
  checkSource(from)
  checkOptions(options, discoverRules)
  return askCloud(from, { ...options, env: options.env ?? process.env })
}
