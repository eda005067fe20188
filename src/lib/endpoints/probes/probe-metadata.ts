import { parseHttpUrl } from '../../base/address.ts'
import { compareWithProfile } from '../../metadata/compare-with-profile.ts'
import { discoverCloud } from '../../metadata/discover-cloud.ts'
import { discoveredAudience } from '../../metadata/cloud-metadata.ts'
import type { CloudMetadata } from '../../metadata/cloud-metadata.ts'
import { showValue } from '../../base/show-value.ts'
import { NetworkError } from '../../transport/network-error.ts'
import { longestAnswerMs } from '../../transport/attempt.ts'
import type { Observation, ProbeContext, Probing } from '../endpoint.ts'

/** How many differing fields a message spells out. */
const shownFields = 3

/** The metadata document, and whether the profile agrees with it. */
export async function probeMetadata({ endpoint, context, ask, signal }: Probing): Promise<void> {
  const { host } = endpoint.url
  const metadata = await ask('document', async () => {
    const value = await discover(context, host, signal())
    const login = parseHttpUrl(value.loginEndpoint)
    const evidence = { publishedAudience: discoveredAudience(value), publishedAuthority: login && `${login.origin}/` }
    return { message: `${host} returned the metadata of its cloud`, value, evidence }
  })
  await ask('matches-profile', () => compare(context, metadata))
}

async function discover(
  { profile, env, timeoutMs = longestAnswerMs() }: ProbeContext,
  host: string,
  signal: AbortSignal,
): Promise<CloudMetadata> {
  try {
    return await discoverCloud(profile, { signal, timeoutMs, env })
  } catch (error) {
    if (!signal.aborted) throw error
    throw new NetworkError('METADATA', 'TIMEOUT', `${host} did not respond to the metadata query in time`, {
      cause: error,
      evidence: { host },
    })
  }
}

function compare({ profile }: ProbeContext, metadata: CloudMetadata | undefined): Observation {
  const compared = metadata === undefined ? [] : compareWithProfile(profile, metadata)
  const unequal = compared.filter(({ equal }) => !equal)
  if (unequal.length === 0) return { message: `The profile agrees with the metadata in ${compared.length} fields` }
  const shown = unequal
    .slice(0, shownFields)
    .map(
      ({ path, profile: ours, metadata: theirs }) =>
        `${path} is ${showValue(ours)} here and ${showValue(theirs)} there`,
    )
  const more = unequal.length > shownFields ? `; ${unequal.length - shownFields} more differ` : ''
  return { status: 'warn', code: 'METADATA_MISMATCH', message: `${shown.join('; ')}${more}` }
}
