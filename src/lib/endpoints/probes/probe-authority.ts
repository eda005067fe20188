import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { isServiceError, type ErrorCode, type ServiceError } from '../../errors.ts'
import { identityProviderOf } from '../../profile/identity-provider.ts'
import { checkResponse } from '../../transport/check-response.ts'
import { createEgressPolicy } from '../../transport/egress.ts'
import type { Observation, ProbeContext, Probing } from '../endpoint.ts'
import { checkClock } from './clock.ts'

/** The OpenID configuration of the login authority, the hosts that it names, and the authority's clock. */
export async function probeAuthority({ endpoint, context, ask, askAnyway, get }: Probing): Promise<void> {
  const { profile, tenantId, now = Date.now, documents } = context
  const { openIdConfigurationUrl: url, disableInstanceDiscovery } = identityProviderOf(profile, tenantId)
  let response: PipelineResponse | undefined
  const document = await ask<ReadDocument>('document', async () => {
    // Without a tenant there is no document, but the response still contains the time.
    response = await get(url ?? endpoint.url, { documents })
    if (url === undefined) return { status: 'skip', message: 'No tenant is configured (PLATFORM_TENANT_ID)' }
    const value = { concern: await inspectDocument(response, url, context) }
    return { message: `${url.host} returned the OpenID configuration of the tenant`, value }
  })
  const judge = (code: ErrorCode, message: string): Observation => {
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
  await ask('issuer', () => judge('ISSUER_MISMATCH', 'The issuer is on the host of the authority'))
  await ask('token-endpoint', () =>
    judge('TOKEN_ENDPOINT_FOREIGN', 'The token endpoint is on a host that may receive credentials'),
  )
  await askAnyway('clock', () =>
    response === undefined ? { status: 'skip', message: 'There is no response' } : checkClock(response, now()),
  )
}

interface ReadDocument {
  /** Findings of a later check of the document. */
  readonly concern: ServiceError | undefined
}

/**
 * Checks the response by the rules of the transport, which keep a credential from following an invalid document.
 *
 * @returns The two findings that have their own check. All others are thrown.
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
