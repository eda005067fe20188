import { parseHttpUrl } from '../../base/address.ts'
import { compareWithProfile, type FieldComparison } from '../../metadata/compare-with-profile.ts'
import { discoverProfile, discoverWholeCloud } from '../../metadata/discover-cloud.ts'
import { discoveredAudience, type CloudMetadata } from '../../metadata/cloud-metadata.ts'
import { showValue } from '../../base/printable.ts'
import type { Evidence } from '../../errors.ts'
import { NetworkError } from '../../transport/network-error.ts'
import type { ChangeableField } from '../../findings/finding.ts'
import type { Observation, ProbeContext, Probing } from '../run.ts'
import { layerSignal } from './connect.ts'

/** Differing fields that a message lists, at most. */
const shownFields = 3

/** Checks the metadata document, and whether the profile agrees with it. */
export async function probeMetadata({ endpoint, context, check }: Probing): Promise<void> {
  const { host } = endpoint.url
  const document = await check('document', async () => {
    const metadata = await discover(context, host)
    const login = parseHttpUrl(metadata.loginEndpoint)
    const evidence = {
      publishedAudience: discoveredAudience(metadata),
      publishedAuthority: login && `${login.origin}/`,
    }
    const value = { published: evidence, compared: compareWithProfile(context.profile, metadata) }
    return { message: `${host} returned the metadata of its cloud`, value, evidence }
  })
  await check('matches-profile', async () => {
    const { compared = [], published = {} } = document ?? {}
    // The document may only repeat the address of the request, so this field isn't proven.
    const proven = compared.filter(({ equal, path }) => equal && path !== 'resourceManagerEndpoint')
    const proves = [...proven, ...(await provenSuffixes(context))].map(({ path }) => path as ChangeableField)
    return { ...observeDifferences(compared, host, published), proves }
  })
}

/** The DNS suffixes that a newer version of the document confirms. Needed only if a service is probed. */
async function provenSuffixes(context: ProbeContext): Promise<readonly FieldComparison[]> {
  const { profile, env, endpoints } = context
  if (endpoints.every(({ role }) => role !== 'SERVICE')) return []
  const whole = await discoverWholeCloud(profile, { signal: layerSignal(context), env }).catch(() => undefined)
  const compared = whole ? compareWithProfile(profile, whole.metadata) : []
  return compared.filter(({ equal, path }) => equal && path.startsWith('serviceDnsSuffixes.'))
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

/** @param published The values that the document has for the profile. */
function observeDifferences(compared: readonly FieldComparison[], host: string, published: Evidence): Observation {
  const unequal = compared.filter(({ equal }) => !equal)
  if (unequal.length === 0) return { message: `The profile agrees with the metadata in ${compared.length} fields` }
  const shown = unequal
    .slice(0, shownFields)
    .map((each) => `${each.path} is ${showValue(each.profile)} here and ${showValue(each.metadata)} there`)
  const more = unequal.length > shownFields ? `; ${unequal.length - shownFields} more differ` : ''
  const paths = unequal.map(({ path }) => path)
  const evidence = {
    host,
    differingFields: paths.join(', '),
    publishedAuthority: paths.includes('authorityHost') ? published.publishedAuthority : undefined,
    publishedAudience: paths.includes('resourceManagerAudience') ? published.publishedAudience : undefined,
  }
  return { status: 'warn', code: 'METADATA_MISMATCH', message: `${shown.join('; ')}${more}`, evidence }
}
