import { compareWithProfile } from '../../metadata/compare-with-profile.ts'
import { discoverCloud } from '../../metadata/discover-cloud.ts'
import { discoveredAudience } from '../../metadata/audiences.ts'
import type { CloudMetadata } from '../../metadata/cloud-metadata.ts'
import { showValue } from '../../base/show-value.ts'
import { NetworkError } from '../../transport/network-error.ts'
import type { FoundCheck } from '../found-check.ts'
import { Layers, type Observation } from './layers.ts'
import { defaultTimeoutMs, layerSignal, type ProbeContext } from './probe-context.ts'
import { createHostProbes, type HostProbes } from './probe-host.ts'

const group = 'metadata'
const role = 'METADATA'
/** How many differing fields a message spells out. */
const shownFields = 3

/** The metadata endpoint, where the profile has one: its document, and whether the profile agrees with it. */
export async function probeMetadata(
  context: ProbeContext,
  hosts: HostProbes = createHostProbes(context),
): Promise<readonly FoundCheck[]> {
  const { metadataEndpoint } = context.profile
  if (metadataEndpoint === undefined) return []
  const url = new URL(metadataEndpoint)
  const host = await hosts.probe({ group, role, url })
  const layers = new Layers(group, host.stopped)
  const metadata = await layers.ask('document', async () => {
    const value = await discover(context, url)
    const login = URL.canParse(value.loginEndpoint) ? `${new URL(value.loginEndpoint).origin}/` : undefined
    const evidence = { publishedAudience: discoveredAudience(value), publishedAuthority: login }
    return { message: `${url.host} describes its cloud`, value, evidence }
  })
  await layers.ask('matches-profile', () => compare(context, metadata))
  return [...host.checks, ...layers.checks]
}

async function discover(context: ProbeContext, { host }: URL): Promise<CloudMetadata> {
  const signal = layerSignal(context)
  try {
    return await discoverCloud(context.profile, {
      signal,
      timeoutMs: context.timeoutMs ?? defaultTimeoutMs,
      env: context.env,
    })
  } catch (error) {
    if (!signal.aborted) throw error
    throw new NetworkError(role, 'TIMEOUT', `${host} did not answer the metadata query in time`, { cause: error })
  }
}

function compare({ profile }: ProbeContext, metadata: CloudMetadata | undefined): Observation<void> {
  const compared = metadata === undefined ? [] : compareWithProfile(profile, metadata)
  const unequal = compared.filter(({ equal }) => !equal)
  if (unequal.length === 0) return { message: `The profile agrees with it in ${compared.length} fields` }
  const shown = unequal
    .slice(0, shownFields)
    .map(
      ({ path, profile: ours, metadata: theirs }) =>
        `${path} is ${showValue(ours)} here and ${showValue(theirs)} there`,
    )
  const more = unequal.length > shownFields ? `; ${unequal.length - shownFields} more differ` : ''
  return { status: 'warn', code: 'METADATA_MISMATCH', message: `${shown.join('; ')}${more}` }
}
