import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { durationText } from '../../base/dates.ts'
import { parseJson, textAt, withoutUndefined } from '../../base/json.ts'
import { builtInProfileNames } from '../../clouds/known-clouds.ts'
import { otherCloudOf, ownerOf } from '../../clouds/owner-of.ts'
import { isServiceError, ServiceError, type Evidence } from '../../errors.ts'
import { checkResponse } from '../../transport/check-response.ts'
import { createEgressPolicy } from '../../transport/egress.ts'
import type { Observation, ProbeContext, Probing } from '../run.ts'

/** `concern` is a finding that a later check reports; `tenant` names the cloud of the tenant, if it is another than the authority's. */
type ReadDocument = { readonly concern: ServiceError | undefined; readonly tenant: Evidence | undefined }

/** Checks the OpenID configuration of the login authority, the hosts in it, the cloud of the tenant, and the authority's clock. */
export async function probeAuthority({ endpoint, context, check, get }: Probing): Promise<void> {
  const { profile, provider } = context
  const { openIdConfigurationUrl: url, disableInstanceDiscovery, tenantId } = provider
  const { host } = endpoint.url
  let response: PipelineResponse | undefined
  const document = await check<ReadDocument>('document', async () => {
    // Without a tenant there is no document, but the response still shows the time.
    response = await get(url ?? endpoint.url)
    if (url === undefined) return skipped('No tenant is configured (PLATFORM_TENANT_ID)')
    const tenant = tenantCloudOf(response, profile.authorityHost)
    // For a well-known authority, the credential library ignores the document, so only its tenant matters.
    const concern =
      disableInstanceDiscovery || tenant === undefined ? await inspectDocument(response, url, context) : undefined
    return { message: `${url.host} returned the OpenID configuration of the tenant`, value: { concern, tenant } }
  })
  for (const [name, code, message] of hostsOfDocument) {
    await check(name, () => {
      if (document === undefined) return skipped('There is no OpenID configuration to read')
      if (!disableInstanceDiscovery)
        return skipped('The credential library knows this authority and does not read its OpenID configuration')
      if (document.concern?.code === code) throw document.concern
      return { message }
    })
  }
  const tenant = document?.tenant
  if (tenant !== undefined) {
    // A private authority may be a gateway to that cloud, so this isn't a failure until the tenant is refused.
    const isForeign = ownerOf(profile.authorityHost) !== undefined
    await check('tenant', () => ({
      ...(isForeign ? { status: 'warn', code: 'TENANT_OF_ANOTHER_CLOUD' } : {}),
      message: `${host} says that the tenant ${tenantId} belongs to ${tenant.tenantCloud}`,
      evidence: { host, tenantId, ...tenant },
      observed: { tenant },
    }))
  }
  const compareClocks = () => (response ? checkClock(response, host, Date.now()) : skipped('There is no response'))
  await check('clock', compareClocks, 'after failure')
}

const skipped = (message: string) => ({ status: 'skip', message }) as const

/** The checks of the hosts that the OpenID configuration names, each with its finding and its message if all is well. */
const hostsOfDocument = [
  ['issuer', 'ISSUER_MISMATCH', 'The issuer is on the host of the authority'],
  ['token-endpoint', 'TOKEN_ENDPOINT_FOREIGN', 'The token endpoint is on a host that may receive credentials'],
] as const

/** Only well-known authorities name the cloud. GCC High and DoD share a login host, but not a Graph host. */
function tenantCloudOf({ bodyAsText }: PipelineResponse, authorityHost: string): Evidence | undefined {
  const body = parseJson(bodyAsText ?? '')
  const instance = textAt(body, 'cloud_instance_name') ?? ''
  if (!/^[a-z0-9.-]{1,100}$/i.test(instance)) return undefined
  const cloud = otherCloudOf(`https://login.${instance}/`, [authorityHost])
  if (cloud === undefined) return undefined
  const identifier = (name: string) => /^[\w.-]{1,100}$/.exec(textAt(body, name) ?? '')?.[0]
  const subScope = identifier('tenant_region_sub_scope')
  const part = subScope === 'DODCON' ? ' (GCC High)' : subScope === 'DOD' ? ' (DoD)' : ''
  return withoutUndefined({
    tenantCloud: `${cloud.displayName}${part}`,
    platformCloud: builtInProfileNames.find((name) => name === cloud.name),
    graphHost: identifier('msgraph_host'),
  })
}

/** Checks the response by the rules of the transport. @returns One of the two findings that have a separate check; others are thrown. */
async function inspectDocument(response: PipelineResponse, url: URL, { profile, allowedTokenHosts }: ProbeContext) {
  const egress = createEgressPolicy({ AUTHORITY: [profile.authorityHost] }, allowedTokenHosts)
  try {
    await checkResponse(response, { role: 'AUTHORITY', step: 'openid-configuration', url, egress })
    return undefined
  } catch (error) {
    if (isServiceError(error) && hostsOfDocument.some(([, code]) => code === error.code)) return error
    throw error
  }
}

/** From this difference on, a clock is a warning. Seconds. */
export const noticedSeconds = 120
/** From this difference on, tokens are refused. Seconds. */
export const toleratedSeconds = 300

/** Compares the Date header of a response with the clock of this machine. @param now When the response arrived, in milliseconds. */
export function checkClock(response: PipelineResponse, host: string, now: number): Observation {
  const seconds = skewOf(response, now)
  if (seconds === undefined) return skipped('The response has no Date header to compare')
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
