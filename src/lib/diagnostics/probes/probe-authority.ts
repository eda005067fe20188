import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { durationText } from '../../base/dates.ts'
import { parseJson, valueAt, withoutUndefined } from '../../base/json.ts'
import { builtInProfileNames } from '../../clouds/known-clouds.ts'
import { otherCloudOf, ownerOf } from '../../clouds/owner-of.ts'
import { isServiceError, ServiceError, type ErrorCode, type Evidence } from '../../errors.ts'
import { checkResponse } from '../../transport/check-response.ts'
import { createEgressPolicy } from '../../transport/egress.ts'
import type { Observation, ProbeContext, Probing } from '../run.ts'

/** Checks the OpenID configuration of the login authority, the hosts in it, the cloud of the tenant, and the authority's clock. */
export async function probeAuthority({ endpoint, context, check, get }: Probing): Promise<void> {
  const { profile, provider, now = Date.now, documents } = context
  const { openIdConfigurationUrl: url, disableInstanceDiscovery, tenantId } = provider
  let response: PipelineResponse | undefined
  const document = await check<ReadDocument>('document', async () => {
    // Without a tenant there is no document, but the response still shows the time.
    response = await get(url ?? endpoint.url, { documents })
    if (url === undefined) return { status: 'skip', message: 'No tenant is configured (PLATFORM_TENANT_ID)' }
    const tenant = tenantCloudOf(response, profile.authorityHost)
    // For a well-known authority, the credential library ignores the document, so only its tenant matters.
    const concern =
      disableInstanceDiscovery || tenant === undefined ? await inspectDocument(response, url, context) : undefined
    return { message: `${url.host} returned the OpenID configuration of the tenant`, value: { concern, tenant } }
  })
  const compare = (code: ErrorCode, message: string): Observation => {
    if (document === undefined) return { status: 'skip', message: 'There is no OpenID configuration to read' }
    if (!disableInstanceDiscovery) {
      return {
        status: 'skip',
        message: 'The credential library knows this authority and does not read its OpenID configuration',
      }
    }
    if (document.concern?.code === code) throw document.concern
    return { message }
  }
  await check('issuer', () => compare('ISSUER_MISMATCH', 'The issuer is on the host of the authority'))
  await check('token-endpoint', () =>
    compare('TOKEN_ENDPOINT_FOREIGN', 'The token endpoint is on a host that may receive credentials'),
  )
  const tenant = document?.tenant
  if (tenant !== undefined) {
    // A private authority may be a gateway to that cloud, so this isn't a failure until the tenant is refused.
    const isForeign = ownerOf(profile.authorityHost) !== undefined
    await check('tenant', () => ({
      ...(isForeign ? { status: 'warn', code: 'TENANT_OF_ANOTHER_CLOUD' } : {}),
      message: `${endpoint.url.host} says that the tenant ${tenantId} belongs to ${tenant.tenantCloud}`,
      evidence: { host: endpoint.url.host, tenantId, ...tenant },
      observed: { tenant },
    }))
  }
  const observeClock = (): Observation =>
    response === undefined
      ? { status: 'skip', message: 'There is no response' }
      : checkClock(response, endpoint.url.host, now())
  await check('clock', observeClock, 'after failure')
}

interface ReadDocument {
  /** A finding that a later check reports. */
  readonly concern: ServiceError | undefined
  /** Names the cloud of the tenant, if the authority belongs to another cloud. */
  readonly tenant: Evidence | undefined
}

/** Only well-known authorities name the cloud. GCC High and DoD share a login host, but not a Graph host. */
function tenantCloudOf({ bodyAsText }: PipelineResponse, authorityHost: string): Evidence | undefined {
  const body = parseJson(bodyAsText ?? '')
  const instance = valueAt(body, 'cloud_instance_name')
  if (typeof instance !== 'string' || !/^[a-z0-9.-]{1,100}$/i.test(instance)) return undefined
  const cloud = otherCloudOf(`https://login.${instance}/`, [authorityHost])
  if (cloud === undefined) return undefined
  const identifier = (name: string) => {
    const value = valueAt(body, name)
    return typeof value === 'string' && /^[\w.-]{1,100}$/.test(value) ? value : undefined
  }
  const subScope = identifier('tenant_region_sub_scope')
  const part = subScope === 'DODCON' ? ' (GCC High)' : subScope === 'DOD' ? ' (DoD)' : ''
  return withoutUndefined({
    tenantCloud: `${cloud.displayName}${part}`,
    platformCloud: builtInProfileNames.find((name) => name === cloud.name),
    graphHost: identifier('msgraph_host'),
    tenantRegion: identifier('tenant_region_scope'),
  })
}

/**
 * Checks the response by the rules of the transport, as for a token request.
 *
 * @returns One of the two findings that have a separate check. Other findings are thrown.
 */
async function inspectDocument(
  response: PipelineResponse,
  url: URL,
  { profile, allowedTokenHosts = [] }: ProbeContext,
): Promise<ServiceError | undefined> {
  const egress = createEgressPolicy({ AUTHORITY: [profile.authorityHost] }, allowedTokenHosts)
  try {
    await checkResponse(response, { role: 'AUTHORITY', step: 'openid-configuration', url, egress })
    return undefined
  } catch (error) {
    if (isServiceError(error) && ['ISSUER_MISMATCH', 'TOKEN_ENDPOINT_FOREIGN'].includes(error.code)) return error
    throw error
  }
}

/** From this difference on, a clock is a warning. Seconds. */
export const noticedSeconds = 120
/** From this difference on, tokens are refused. Seconds. */
const toleratedSeconds = 300

/**
 * Compares the Date header of a response with the clock of this machine.
 *
 * @param now When the response arrived, in milliseconds since the epoch.
 * @throws {ServiceError} `CLOCK_SKEW`
 */
export function checkClock(response: PipelineResponse, host: string, now: number): Observation {
  const seconds = skewOf(response, now)
  if (seconds === undefined) return { status: 'skip', message: 'The response has no Date header to compare' }
  const difference = Math.abs(seconds)
  if (difference <= 1) return { message: 'The local clock agrees with the login authority' }
  const message = `The local clock is ${durationText(difference)} ${seconds > 0 ? 'ahead of' : 'behind'} the login authority`
  const evidence = {
    host,
    skewSeconds: String(seconds),
    theirs: new Date(now - seconds * 1000).toISOString(),
    ours: new Date(now).toISOString(),
  }
  if (difference > toleratedSeconds) throw new ServiceError('CLOCK_SKEW', message, { evidence })
  return { ...(difference > noticedSeconds && { status: 'warn', code: 'CLOCK_SKEW' }), message, evidence }
}

/** Seconds that the local clock is ahead of the host's, by Date header. For a response from a cache, its Age is subtracted. */
export function skewOf({ headers }: PipelineResponse, now: number): number | undefined {
  const date = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(date)) return undefined
  const age = Number(headers.get('age') ?? 0)
  return Math.round((now - date) / 1000 - (Number.isFinite(age) ? age : 0))
}
