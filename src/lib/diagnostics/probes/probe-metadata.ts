import { parseHttpUrl } from '../../base/address.ts'
import { compareWithProfile } from '../../metadata/compare-with-profile.ts'
import { discoverProfile, discoverWholeCloud } from '../../metadata/discover-cloud.ts'
import { discoveredAudience, type CloudMetadata } from '../../metadata/cloud-metadata.ts'
import { showValue } from '../../base/printable.ts'
import { NetworkError } from '../../transport/network-error.ts'
import type { ChangeableField } from '../../findings/finding.ts'
import type { Observation, ProbeContext, Probing } from '../run.ts'
import { layerSignal } from './connect.ts'

/** Differing fields that a message lists, at most. */
const shownFields = 3

/** Checks the metadata document, and whether the profile agrees with it. */
export async function probeMetadata({ endpoint, context, check }: Probing): Promise<void> {
  const { host } = endpoint.url
  const metadata = await check('document', async () => {
    const value = await discover(context, host)
    const login = parseHttpUrl(value.loginEndpoint)
    const evidence = { publishedAudience: discoveredAudience(value), publishedAuthority: login && `${login.origin}/` }
    return { message: `${host} returned the metadata of its cloud`, value, evidence }
  })
  await check('matches-profile', async () => {
    const compared = compare(context, host, metadata)
    return { ...compared, proves: [...(compared.proves ?? []), ...(await provenSuffixes(context))] }
  })
}

/** The DNS suffixes that a newer version of the document confirms. Needed only if a service is probed. */
async function provenSuffixes(context: ProbeContext): Promise<ChangeableField[]> {
  const { profile, env, endpoints } = context
  if (endpoints.every(({ role }) => role !== 'SERVICE')) return []
  const whole = await discoverWholeCloud(profile, { signal: layerSignal(context), env }).catch(() => undefined)
  const compared = whole ? compareWithProfile(profile, whole.metadata) : []
  const proven = compared.filter(({ equal, path }) => equal && path.startsWith('serviceDnsSuffixes.'))
  return proven.map(({ path }) => path as ChangeableField)
}

async function discover(context: ProbeContext, host: string): Promise<CloudMetadata> {
  const { profile, env, timeoutMs } = context
  const signal = layerSignal(context)
  try {
    return await discoverProfile(profile, { signal, timeoutMs, env })
  } catch (error) {
    if (!signal.aborted) throw error
    const message = `${host} did not respond to the metadata query in time`
    throw new NetworkError('METADATA', 'TIMEOUT', message, { cause: error, evidence: { host } })
  }
}

function compare({ profile }: ProbeContext, host: string, metadata: CloudMetadata | undefined): Observation {
  const compared = metadata === undefined ? [] : compareWithProfile(profile, metadata)
  const unequal = compared.filter(({ equal }) => !equal)
  // The document may only repeat the address of the request, so this field isn't proven.
  const proves = compared
    .filter(({ equal, path }) => equal && path !== 'resourceManagerEndpoint')
    .map(({ path }) => path as ChangeableField)
  if (unequal.length === 0)
    return { message: `The profile agrees with the metadata in ${compared.length} fields`, proves }
  const shown = unequal
    .slice(0, shownFields)
    .map((each) => `${each.path} is ${showValue(each.profile)} here and ${showValue(each.metadata)} there`)
  const more = unequal.length > shownFields ? `; ${unequal.length - shownFields} more differ` : ''
  const login = parseHttpUrl(metadata?.loginEndpoint ?? '')
  const differs = (field: ChangeableField) => unequal.some(({ path }) => path === field)
  const evidence = {
    host,
    differingFields: unequal.map(({ path }) => path).join(', '),
    publishedAuthority: differs('authorityHost') && login !== undefined ? `${login.origin}/` : undefined,
    publishedAudience: differs('resourceManagerAudience') && metadata ? discoveredAudience(metadata) : undefined,
  }
  return { status: 'warn', code: 'METADATA_MISMATCH', message: `${shown.join('; ')}${more}`, evidence, proves }
}
