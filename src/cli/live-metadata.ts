import { printable } from '../lib/base/printable.ts'
import { type ErrorCode, isServiceError } from '../lib/errors.ts'
import type { WholeCloudMetadata } from '../lib/metadata/cloud-metadata.ts'
import { discoverWholeCloud } from '../lib/metadata/discover-cloud.ts'
import type { ExplainedProfile } from '../lib/profile/explained-profile.ts'
import type { CloudProfile } from '../lib/clouds/cloud-profile.ts'
import { readSetting } from '../lib/settings/setting.ts'
import { settingTable } from '../lib/settings/setting-table.ts'
import { responseTimeoutMs } from '../lib/transport/attempt.ts'
import { loadAuthorities } from '../lib/transport/certificate-authorities.ts'
import { NetworkError } from '../lib/transport/network-error.ts'
import { CloudFailure } from './command.ts'
import type { Terminal } from './terminal.ts'

/** The codes of metadata that is not valid. A failed request is a network error instead. */
const invalid: ReadonlySet<string> = new Set<ErrorCode>(['METADATA_INVALID', 'METADATA_CLOUD_NOT_LISTED'])

/**
 * Requests the metadata of a live cloud, as the service does, and prints its warnings.
 *
 * @param blamed What a fix may correct: the profile, or the name of what sets the address of the request.
 * @throws {CloudFailure} with cause and fix, for a failed request and for invalid metadata.
 */
export async function readLiveMetadata(
  from: CloudProfile | string,
  { env, note }: Terminal,
  blamed: () => ExplainedProfile | string,
): Promise<WholeCloudMetadata> {
  loadAuthorities(env)
  const timeoutMs = responseTimeoutMs(readSetting(env, settingTable.tokenTimeoutMs))
  try {
    const { metadata, warnings } = await discoverWholeCloud(from, { env, timeoutMs })
    for (const warning of warnings) note(`warning: ${printable(warning)}`)
    return metadata
  } catch (error) {
    if (!isServiceError(error) || !(error instanceof NetworkError || invalid.has(error.code))) throw error
    // The table of findings is large, and most runs do not need it.
    const { fixOf } = await import('../lib/findings/catalog.ts')
    const { profileFacts } = await import('../lib/profile/profile-facts.ts')
    const { code, message } = error
    const named = blamed()
    const { text, cause } = fixOf(error, typeof named === 'string' ? { address: named } : profileFacts(named))
    throw new CloudFailure(`${code}: ${printable(message)}\nCause: ${cause}\nFix:   ${text}`, { cause: error })
  }
}
